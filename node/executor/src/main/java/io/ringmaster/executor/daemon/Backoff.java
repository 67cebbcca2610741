package io.ringmaster.executor.daemon;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The pause between a daemon's end and its next start. It is zero after a run of at least {@link #GOOD_RUN}, then grows
 * to 1, 2, 4 ... 60 s with each short run, so that a daemon that dies at its start does not use up the machine. It is
 * measured with the monotonic clock: a wall clock that is set back would make it hours long.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofSeconds(60);
    private static final Duration GOOD_RUN = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private Duration next = Duration.ZERO;
    private Duration pause = Duration.ZERO;
    /** When the pause started, in ns of the monotonic clock. */
    private long since;

    public Backoff() {
        this(System::nanoTime);
    }

    /** @param nanoTime replaces {@link System#nanoTime} in tests */
    Backoff(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Records the end of a daemon.
     *
     * @param ranNormal how long the daemon was NORMAL
     */
    public void ended(Duration ranNormal) {
        if (ranNormal.compareTo(GOOD_RUN) >= 0) {
            next = Duration.ZERO;
        }
        pauseFor(next);
        Duration doubled = next.isZero() ? FIRST : next.multipliedBy(2);
        next = doubled.compareTo(MAX) > 0 ? MAX : doubled;
    }

    /** Records an end whose cause will recur until something else changes: the pause is the longest. */
    public void endedForGood() {
        next = MAX;
        pauseFor(MAX);
    }

    private void pauseFor(Duration time) {
        pause = time;
        since = nanoTime.getAsLong();
    }

    /** Makes the next start due immediately, because something else changed. */
    public void reset() {
        next = Duration.ZERO;
        pause = Duration.ZERO;
    }

    /** The time until the next start; zero if it is due. */
    public Duration remaining() {
        Duration left = pause.minusNanos(nanoTime.getAsLong() - since);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
