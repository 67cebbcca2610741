package io.ringmaster.transfer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The rate of a transfer beside a node that serves clients. The transfer and Cassandra share the processor time of the
 * node, and Cassandra stands still when it is used up, whatever priority the transfer has. So the rate halves in each
 * second in which that happened, and then grows by a tenth every five seconds.
 */
final class Yielding {
    /** Slower than this, a backup would never end. */
    static final long LEAST = 1 << 20;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long GROW_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long UNLIMITED = Long.MAX_VALUE / 4;
    private static final int GROWS_BY = 10;

    private final long most;
    private final LongSupplier throttled;
    private long rate;
    private long seen;
    private long lookedAt;
    private long changedAt;
    private long moved;

    /**
     * @param most bytes a second; 0 for no limit
     * @param throttled in how many periods the node was stopped so far
     * @param now in nanoseconds
     */
    Yielding(long most, LongSupplier throttled, long now) {
        if (most < 0) {
            throw new IllegalArgumentException("a bandwidth of " + most + " bytes a second is negative");
        }
        this.most = most == 0 ? UNLIMITED : most;
        this.throttled = throttled;
        this.rate = this.most;
        this.seen = throttled.getAsLong();
        this.lookedAt = now;
        this.changedAt = now;
    }

    /**
     * Bytes a second that may be moved now; 0 for no limit.
     *
     * @param bytes that are moved next
     */
    long rate(long now, long bytes) {
        if (now - lookedAt >= LOOK_NS) {
            look(now);
        }
        moved += bytes;
        return rate == UNLIMITED ? 0 : rate;
    }

    private void look(long now) {
        long periods = throttled.getAsLong();
        if (periods > seen) {
            long reached = (long) (moved * (double) TimeUnit.SECONDS.toNanos(1) / (now - lookedAt));
            rate = Math.min(most, Math.max(LEAST, Math.min(rate, reached) / 2));
            changedAt = now;
        } else if (rate < most && now - changedAt >= GROW_NS) {
            rate = Math.min(most, rate + rate / GROWS_BY);
            changedAt = now;
        }
        seen = periods;
        lookedAt = now;
        moved = 0;
    }
}
