package io.ringmaster.simulator;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: what is due happens in order, and nothing takes time by itself. */
final class VirtualClock {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Due(long atMillis, long number, Runnable action) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::number));
    private long nowMillis;
    private long count;

    long nowMillis() {
        return nowMillis;
    }

    Instant now() {
        return START.plusMillis(nowMillis);
    }

    void in(long millis, Runnable action) {
        queue.add(new Due(nowMillis + Math.max(0, millis), count++, action));
    }

    /** Again and again, as long as the run lasts. */
    void every(long millis, Runnable action) {
        in(millis, () -> {
            action.run();
            every(millis, action);
        });
    }

    /** Does the next thing that is due. */
    void step() {
        Due due = queue.remove();
        nowMillis = due.atMillis();
        due.action().run();
    }
}
