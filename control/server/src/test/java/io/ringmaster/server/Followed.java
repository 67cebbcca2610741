package io.ringmaster.server;

import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.UnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Events that a test waits for. */
final class Followed {
    private Followed() {}

    /** The events up to the first that holds. */
    static List<Event> until(EventFollower events, Predicate<Event> holds) throws InterruptedException {
        long end = System.nanoTime() + TestDatacenter.PATIENCE.toNanos();
        var all = new ArrayList<Event>();
        while (System.nanoTime() < end) {
            Optional<Event> event = next(events);
            if (event.isPresent()) {
                all.add(event.get());
                if (holds.test(event.get())) {
                    return all;
                }
            }
        }
        throw new AssertionError("no such event; came: " + all);
    }

    private static Optional<Event> next(EventFollower events) throws InterruptedException {
        try {
            return events.next(Duration.ofMillis(500));
        } catch (UnreachableException e) {
            Thread.sleep(50);
            return Optional.empty();
        }
    }
}
