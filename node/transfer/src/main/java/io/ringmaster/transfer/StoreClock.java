package io.ringmaster.transfer;

import io.ringmaster.backup.repository.Cut;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How far the clock of a store is ahead of that of this machine; negative if it is behind. Machines disagree about the
 * time, so what several of them noted is compared by the clock that they share.
 *
 * @param least and {@code most} enclose it: nobody knows at which moment of a put the store looked at its clock
 */
record StoreClock(Duration least, Duration most) {
    /** Some stores note whole seconds. */
    private static final Duration RESOLUTION = Duration.ofSeconds(1);

    /**
     * @param before a put, and {@code after} it, by the clock of this machine
     * @param modified the time of the object, by that of the store
     */
    static StoreClock of(Instant before, Instant modified, Instant after) {
        boolean isWhole = modified.equals(modified.truncatedTo(ChronoUnit.SECONDS));
        Instant latest = isWhole ? modified.plus(RESOLUTION) : modified;
        return new StoreClock(Duration.between(after, modified), Duration.between(before, latest));
    }

    /** How well it is known. */
    Duration doubt() {
        return most.minus(least);
    }

    /** Whether people would see it on two clocks. */
    boolean differs() {
        return least.toMinutes() > 0 || most.toMinutes() < 0;
    }

    /** A cut by the clock of this machine as one by that of the store, which encloses it. */
    Cut of(Cut cut) {
        return new Cut(cut.from().plus(least), cut.to().plus(most));
    }

    /** {@code 20 min 1 s ahead of}. */
    @Override
    public String toString() {
        Duration about = least.plus(most).dividedBy(2);
        Duration far = about.abs();
        return far.toMinutes() + " min " + far.toSecondsPart() + " s " + (about.isNegative() ? "behind" : "ahead of");
    }
}
