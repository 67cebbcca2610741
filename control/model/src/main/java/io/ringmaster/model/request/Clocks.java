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

    /**
     * Whether a wait that started then is over. A start further in the future than the wait is long is of a clock that
     * was wrong: nothing waits until that time comes again.
     */
    public static boolean hasPassed(Duration wait, Instant start, Instant now) {
        return Duration.between(start, now).abs().compareTo(wait) >= 0;
    }
}
