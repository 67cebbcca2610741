package io.ringmaster.wire.api;

import java.util.List;

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
}
