package io.ringmaster.simulator.history;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: scheduled actions run in the order of their time, and no action takes time. */
public final class VirtualClock {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Due(long atMillis, long number, Runnable action) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::number));
    private long nowMillis;
    private long count;

    /** Milliseconds since the start of the run. */
    public long nowMillis() {
        return nowMillis;
    }

    public Instant now() {
        return at(nowMillis);
    }

    /** @param millis since the start of the run */
    public Instant at(long millis) {
        return START.plusMillis(millis);
    }

    public void after(long millis, Runnable action) {
        queue.add(new Due(nowMillis + Math.max(0, millis), count++, action));
    }

    /** Repeats the action until the run ends. */
    public void every(long millis, Runnable action) {
        after(millis, () -> {
            action.run();
            every(millis, action);
        });
    }

    /** Runs what is due until this time, which may be passed by the last action. */
    public void runUntil(long millis) {
        while (nowMillis < millis) {
            Due due = queue.remove();
            nowMillis = due.atMillis();
            due.action().run();
        }
    }
}
