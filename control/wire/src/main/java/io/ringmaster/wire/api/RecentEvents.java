package io.ringmaster.wire.api;

import java.time.Instant;
import java.util.List;

/**
 * The last events of all datacenters, the oldest first.
 *
 * @param since earlier events are not kept
 */
public record RecentEvents(List<Event> items, Instant since) {
    public RecentEvents {
        items = List.copyOf(items);
    }
}
