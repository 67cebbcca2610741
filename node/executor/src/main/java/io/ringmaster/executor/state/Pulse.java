package io.ringmaster.executor.state;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When the supervisor's loop last turned. */
public final class Pulse {
    /** Far above the longest action of one turn: an ordered shutdown takes up to 100 s. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    private final LongSupplier nanoTime;
    private volatile long last;

    public Pulse() {
        this(System::nanoTime);
    }

    public Pulse(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    public void beat() {
        last = nanoTime.getAsLong();
    }

    /** Whether the loop turned within {@link #LIMIT}. */
    public boolean isLive() {
        return nanoTime.getAsLong() - last < LIMIT.toNanos();
    }
}
