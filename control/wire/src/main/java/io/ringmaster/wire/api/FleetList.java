package io.ringmaster.wire.api;

import java.util.List;
import java.util.function.Predicate;

/**
 * A list gathered from every datacenter of the fleet.
 *
 * @param unanswered the datacenters whose items are missing
 */
public record FleetList<T>(List<T> items, List<Unanswered> unanswered) {
    public FleetList {
        items = List.copyOf(items);
        unanswered = List.copyOf(unanswered);
    }

    /** The same without the items that do not fulfil the condition. */
    public FleetList<T> only(Predicate<? super T> wanted) {
        return new FleetList<>(items.stream().filter(wanted).toList(), unanswered);
    }
}
