package io.ringmaster.model.request;

import java.time.Duration;
import java.time.Instant;

/** How far the clocks of machines are trusted. */
public final class Clocks {
    /** They differ by less. */
    private static final Duration TOLERANCE = Duration.ofDays(1);

    private Clocks() {}

    /** Whether the clock that gave this time was wrong, or {@code now} is. */
    public static boolean isOfFuture(Instant time, Instant now) {
        return time.isAfter(now.plus(TOLERANCE));
    }
}
