package io.ringmaster.controller;

import io.ringmaster.ports.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock that never goes back, so that no wait starts again or lasts for as long as a step of the wall clock. While
 * the wall clock is behind, this one runs at half speed. A step forward is followed: a computer that slept makes one.
 */
public final class SteadyClock implements Clock {
    private final Clock wall;
    private final LongSupplier elapsed;
    private Instant last;
    private long lastNanos;

    /** @param elapsed nanoseconds from any beginning, whatever becomes of the wall clock */
    public SteadyClock(Clock wall, LongSupplier elapsed) {
        this.wall = wall;
        this.elapsed = elapsed;
        this.last = wall.now();
        this.lastNanos = elapsed.getAsLong();
    }

    @Override
    public synchronized Instant now() {
        long nanos = elapsed.getAsLong();
        Instant steady = last.plus(Duration.ofNanos(nanos - lastNanos).dividedBy(2));
        Instant read = wall.now();
        last = read.isBefore(steady) ? steady : read;
        lastNanos = nanos;
        return last;
    }
}
