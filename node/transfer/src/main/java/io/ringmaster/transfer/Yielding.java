package io.ringmaster.transfer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pauses of a transfer beside a node that serves clients. The transfer and Cassandra share the processor time of
 * the node, and Cassandra stands still when it is used up, whatever priority the transfer has. So a transfer takes half
 * of that time at most. Its share halves in each second in which the kernel stopped the node all the same, and grows by
 * a hundredth of the node's time in each other second.
 */
final class Yielding {
    static final double MOST = 0.5;

    /** With less, a backup would never end. */
    static final double LEAST = 0.05;

    private static final double GROWS_BY = 0.01;
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /** Unused time is kept for one period of the kernel, so that a wait for the store is not followed by a burst. */
    private static final long KEPT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double processors;
    private final LongSupplier throttled;
    private final LongSupplier usedNs;
    private double share = MOST;
    private long throttledBefore;
    private long usedBefore;
    private long lookedAt;
    private long freeAt;

    /**
     * @param processors that the node may use; 0 for no limit, and no pauses
     * @param throttled in how many periods the node was stopped so far
     * @param usedNs processor time of this process so far, in nanoseconds
     * @param now in nanoseconds
     */
    Yielding(double processors, LongSupplier throttled, LongSupplier usedNs, long now) {
        this.processors = processors;
        this.throttled = throttled;
        this.usedNs = usedNs;
        this.throttledBefore = throttled.getAsLong();
        this.usedBefore = usedNs.getAsLong();
        this.lookedAt = now;
        this.freeAt = now;
    }

    /** Of a transfer that takes what it can get. */
    static Yielding never() {
        return new Yielding(0, () -> 0, () -> 0, 0);
    }

    /** Of this process in its cgroup. */
    static Yielding ofThisProcess() {
        var throttling = Throttling.ofThisProcess();
        return new Yielding(
                throttling.processors(), throttling::periods, ProcessorTime::ofThisProcess, System.nanoTime());
    }

    /** Nanoseconds to wait until the processor time used so far is no more than the share. */
    long pause(long now) {
        if (processors == 0) {
            return 0;
        }
        if (now - lookedAt >= LOOK_NS) {
            look(now);
        }
        long used = usedNs.getAsLong();
        freeAt = Math.max(freeAt, now - KEPT_NS) + (long) ((used - usedBefore) / (share * processors));
        usedBefore = used;
        return Math.max(0, freeAt - now);
    }

    double share() {
        return share;
    }

    private void look(long now) {
        long periods = throttled.getAsLong();
        double seconds = (now - lookedAt) / (double) LOOK_NS;
        share = periods > throttledBefore ? Math.max(LEAST, share / 2) : Math.min(MOST, share + GROWS_BY * seconds);
        throttledBefore = periods;
        lookedAt = now;
    }
}
