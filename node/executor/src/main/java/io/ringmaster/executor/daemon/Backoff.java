package io.ringmaster.executor.daemon;

import java.time.Duration;
import java.time.Instant;

/**
 * The pause between a daemon's end and its next start. It is zero after a run of at least {@link #GOOD_RUN}, then grows
 * to 1, 2, 4 ... 60 s with each short run, so that a daemon that dies at its start does not use up the machine.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofSeconds(60);
    private static final Duration GOOD_RUN = Duration.ofSeconds(30);

    private Duration next = Duration.ZERO;
    private Instant notBefore = Instant.MIN;

    /**
     * Records the end of a daemon.
     *
     * @param ranNormal how long the daemon was NORMAL
     */
    public void ended(Instant now, Duration ranNormal) {
        if (ranNormal.compareTo(GOOD_RUN) >= 0) {
            next = Duration.ZERO;
        }
        notBefore = now.plus(next);
        Duration doubled = next.isZero() ? FIRST : next.multipliedBy(2);
        next = doubled.compareTo(MAX) > 0 ? MAX : doubled;
    }

    /** Records an end whose cause will recur until something else changes: the pause is the longest. */
    public void endedForGood(Instant now) {
        next = MAX;
        notBefore = now.plus(MAX);
    }

    /** Makes the next start due immediately, because something else changed. */
    public void reset() {
        next = Duration.ZERO;
        notBefore = Instant.MIN;
    }

    /** The time until the next start; zero if it is due. */
    public Duration remaining(Instant now) {
        return notBefore.isAfter(now) ? Duration.between(now, notBefore) : Duration.ZERO;
    }
}
