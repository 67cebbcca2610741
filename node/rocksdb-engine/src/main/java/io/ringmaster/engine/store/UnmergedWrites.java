package io.ringmaster.engine.store;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The operands that wait for a purge in Java, in a store whose compactions do not merge them. Excludes writes while a
 * record is rewritten.
 */
final class UnmergedWrites {
    private static final long MIN_BYTES = 32L << 20;

    private final ReadWriteLock replacing = new ReentrantReadWriteLock();
    private final LongAdder addedBytes = new LongAdder();
    private volatile long purgedAtSeconds = FBUtilities.nowInSeconds();

    void add(long bytes, Runnable write) {
        addedBytes.add(bytes);
        replacing.readLock().lock();
        try {
            write.run();
        } finally {
            replacing.readLock().unlock();
        }
    }

    void replace(Runnable readAndWrite) {
        replacing.writeLock().lock();
        try {
            readAndWrite.run();
        } finally {
            replacing.writeLock().unlock();
        }
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
