package io.ringmaster.controller;

import io.ringmaster.ports.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock that does not go back by a few minutes, so that no wait starts again or lasts for as long as such a step of
 * the wall clock. While that is behind, this one runs at half speed. A step forward is followed, because a computer
 * that slept makes one, and so is a long one back: a wrong time must not stay.
 */
public final class SteadyClock implements Clock {
    private static final Duration FOLLOWED = Duration.ofMinutes(10);

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
        Duration behind = Duration.between(read, steady);
        last = behind.isNegative() || behind.compareTo(FOLLOWED) > 0 ? read : steady;
        lastNanos = nanos;
        return last;
    }
}
