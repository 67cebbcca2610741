package io.ringmaster.engine.store;

import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.utils.FBUtilities;

/** The operands that wait for a purge in Java. None are counted where compactions merge them. */
final class UnmergedWrites {
    private static final long MIN_BYTES = 32L << 20;

    private final LongAdder addedBytes = new LongAdder();
    private volatile long purgedAtSeconds = FBUtilities.nowInSeconds();

    void add(long bytes) {
        addedBytes.add(bytes);
    }

    /** Whether the added operands exceed half of the live data, or the last purge is longer ago than the period. */
    boolean isPurgeDue(long liveBytes, long periodSeconds) {
        return addedBytes.sum() > Math.max(MIN_BYTES, liveBytes / 2)
                || FBUtilities.nowInSeconds() - purgedAtSeconds > periodSeconds;
    }

    /** Operands added from now on count for the next purge. */
    void startPurge() {
        addedBytes.reset();
        purgedAtSeconds = FBUtilities.nowInSeconds();
    }
}
