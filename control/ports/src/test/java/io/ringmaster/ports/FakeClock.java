package io.ringmaster.ports;

import java.time.Duration;
import java.time.Instant;

/** A clock that a test turns by hand. */
public final class FakeClock implements Clock {
    private volatile Instant now;

    public FakeClock(Instant start) {
        now = start;
    }

    /** Starts on the first second of 2026. */
    public FakeClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Override
    public Instant now() {
        return now;
    }

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    public synchronized void advanceMs(long ms) {
        advance(Duration.ofMillis(ms));
    }
}
