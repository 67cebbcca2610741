package io.ringmaster.executor.daemon;

import java.time.Duration;
import java.time.Instant;

/**
 * The growing pause between a daemon's end and its next start: at once after a long good run, then 1, 2, 4 ... 60 s. Each start's
 * pause rests on how the runs before it went, so a daemon that dies at once does not eat the machine.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration GOOD_RUN = Duration.ofSeconds(30);

    private Duration next = Duration.ZERO;
    private Instant notBefore = Instant.MIN;

    /**
     * A daemon ended.
     *
     * @param ranNormal how long it was NORMAL before
     */
    public void ended(Instant now, Duration ranNormal) {
        if (ranNormal.compareTo(GOOD_RUN) >= 0) {
            next = Duration.ZERO;
        }
        notBefore = now.plus(next);
        Duration doubled = next.isZero() ? FIRST : next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    }

    /** What failed will fail again unless something outside changes. */
    public void endedForGood(Instant now) {
        next = LONGEST;
        notBefore = now.plus(LONGEST);
    }

    /** Something outside changed: try at once. */
    public void reset() {
        next = Duration.ZERO;
        notBefore = Instant.MIN;
    }

    /** Zero when a start is due. */
    public Duration remaining(Instant now) {
        return notBefore.isAfter(now) ? Duration.between(now, notBefore) : Duration.ZERO;
    }
}
