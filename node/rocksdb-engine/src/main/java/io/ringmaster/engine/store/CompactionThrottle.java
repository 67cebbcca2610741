package io.ringmaster.engine.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;

/**
 * The throughput of flushes and compactions: as low as their backlog permits, because each burst of writes delays
 * reads, and never above the operator's limit. RocksDB's auto-tuned limiter is not used: it reacts only when writes
 * stall, and starts too low.
 */
final class CompactionThrottle {
    /** Short, so that each burst is small: a read waits for the writes that the disk got before it. */
    private static final long REFILL_MICROS = 10_000;

    private static final int FAIRNESS = 10;
    private static final double MIN_SHARE = 0.25;
    /** Sorted runs of one table up to which the least share is enough: as many as a compaction leaves. */
    private static final int CALM_RUNS = 9;
    /** Sorted runs of one table from which on compactions get the full throughput. */
    private static final int URGENT_RUNS = 15;
    /** The factor by which the share decays at each adjustment. It is slow, because bursts of load tend to recur. */
    private static final double DECAY = 0.975;

    private final long maxBytesPerSecond;
    private final @Nullable RateLimiter limiter;
    private double share = 1;

    /** @param maxBytesPerSecond 0 for no limit */
    CompactionThrottle(long maxBytesPerSecond) {
        this.maxBytesPerSecond = maxBytesPerSecond;
        this.limiter = maxBytesPerSecond == 0
                ? null
                : new RateLimiter(maxBytesPerSecond, REFILL_MICROS, FAIRNESS, RateLimiterMode.WRITES_ONLY, false);
    }

    /** Null for no limit. */
    @Nullable
    RateLimiter limiter() {
        return limiter;
    }

    /**
     * Called twice a second, often enough to react before a load that outruns the flushes has to wait.
     *
     * @param runs the greatest number of sorted runs of any table
     * @param waitingBuffers the greatest number of full write buffers of any table that wait for a flush
     */
    void adjust(long runs, long waitingBuffers) {
        share = Math.max(share(runs, waitingBuffers), share * DECAY);
        if (limiter != null) {
            limiter.setBytesPerSecond((long) (maxBytesPerSecond * share));
        }
    }

    /** The share of the limit that a backlog needs, from 0.25 to 1. */
    static double share(long runs, long waitingBuffers) {
        if (waitingBuffers > 1) {
            return 1;
        }
        double urgency = (double) (runs - CALM_RUNS) / (URGENT_RUNS - CALM_RUNS);
        return MIN_SHARE + (1 - MIN_SHARE) * Math.max(0, Math.min(1, urgency));
    }
}
