package io.ringmaster.engine.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;

/**
 * How fast flushes and compactions write: as slowly as they may without falling behind, because each burst delays reads, and never
 * faster than the operator allows. RocksDB's own tuning of its limiter waits until writes stall, and starts from too little.
 */
final class Pace {
    /** In small sips: what is handed to the disk at once is what a read behind it waits for. */
    private static final long REFILL_MICROS = 10_000;

    private static final int FAIRNESS = 10;
    private static final double LEAST_SHARE = 0.25;
    /** Of sorted runs in one table: what a compaction leaves, and what takes all of the throughput to get rid of. */
    private static final int CALM_RUNS = 9;

    private static final int URGENT_RUNS = 15;
    /** What is left of haste at the next look: a load that needed it a moment ago will need it again. */
    private static final double RELAXATION = 0.975;

    private final long mostBytesPerSecond;
    private final @Nullable RateLimiter limiter;
    private double share = 1;

    /** @param mostBytesPerSecond 0 for no limit */
    Pace(long mostBytesPerSecond) {
        this.mostBytesPerSecond = mostBytesPerSecond;
        this.limiter = mostBytesPerSecond == 0
                ? null
                : new RateLimiter(mostBytesPerSecond, REFILL_MICROS, FAIRNESS, RateLimiterMode.WRITES_ONLY, false);
    }

    /** Null for no limit. */
    @Nullable
    RateLimiter limiter() {
        return limiter;
    }

    /**
     * To be called twice a second, which is before a load that fills write buffers faster than they are written has to wait.
     *
     * @param runs files that wait to be merged, in the table that has the most
     * @param waitingBuffers full write buffers that wait to be written to a file, likewise
     */
    void adjust(long runs, long waitingBuffers) {
        share = Math.max(share(runs, waitingBuffers), share * RELAXATION);
        if (limiter != null) {
            limiter.setBytesPerSecond((long) (mostBytesPerSecond * share));
        }
    }

    /** Of the most that is allowed, as it is needed now. */
    static double share(long runs, long waitingBuffers) {
        if (waitingBuffers > 1) {
            return 1;
        }
        double urgency = (double) (runs - CALM_RUNS) / (URGENT_RUNS - CALM_RUNS);
        return LEAST_SHARE + (1 - LEAST_SHARE) * Math.max(0, Math.min(1, urgency));
    }
}
