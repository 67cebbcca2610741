package io.ringmaster.core.decide;

import io.ringmaster.model.record.Change;
import java.util.List;

/**
 * The decision on an accepted request. Nothing is stored yet.
 *
 * @param result the answer to the caller, also in a dry run
 * @param changes everything to store, the plan and its request or spec included; empty when nothing changes
 */
public record Decision<T>(T result, List<Change> changes) {
    public Decision {
        changes = List.copyOf(changes);
    }
}
