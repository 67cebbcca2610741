package io.ringmaster.wire.api;

import java.util.List;

/** An answer for the fleet, gathered from every datacenter, with those that could not be asked. */
public record FleetList<T>(List<T> items, List<Unanswered> unanswered) {
    public FleetList {
        items = List.copyOf(items);
        unanswered = List.copyOf(unanswered);
    }
}
