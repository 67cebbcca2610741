package io.ringmaster.engine.store;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.cassandra.utils.FBUtilities;

/** Of a store whose operands no compaction folds: what has piled up, and that nothing is added while a record is replaced. */
final class Unfolded {
    private static final long LEAST_BYTES = 32L << 20;

    private final ReadWriteLock replacing = new ReentrantReadWriteLock();
    private final LongAdder addedBytes = new LongAdder();
    private volatile long scrubbedAtSeconds = FBUtilities.nowInSeconds();

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

    /** Whether half as much was added as there is, or nobody looked for so long. */
    boolean isMuch(long liveBytes, long periodSeconds) {
        return addedBytes.sum() > Math.max(LEAST_BYTES, liveBytes / 2)
                || FBUtilities.nowInSeconds() - scrubbedAtSeconds > periodSeconds;
    }

    /** From now on what is added counts for the next time. */
    void beginScrub() {
        addedBytes.reset();
        scrubbedAtSeconds = FBUtilities.nowInSeconds();
    }
}
