package io.ringmaster.core.operation;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import java.util.List;

/** What an operation answers. */
public sealed interface Planned {
    /**
     * @param changes persisted together with the plan
     * @param notes for the user: why this order, what cannot be undone
     */
    record Draft(long specVersion, List<Change> changes, List<Phase> phases, List<String> notes) implements Planned {}

    /** Nothing of what was asked for is in this datacenter. */
    record NotConcerned(String reason) implements Planned {}

    record Refused(List<Problem> problems) implements Planned {}
}
