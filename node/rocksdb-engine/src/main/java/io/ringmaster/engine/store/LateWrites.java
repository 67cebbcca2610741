package io.ringmaster.engine.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * The least timestamps of late writes: those older than a tombstone that could be purged. Such a tombstone stays until
 * compactions have merged it with the late writes, because it may shadow one of them.
 *
 * <p>Late writes are forgotten by period. Applications whose timestamps are always old (in milliseconds, or of migrated
 * data) thus delay the purge, and do not stop it. Not thread-safe. Timestamps are in microseconds, times in seconds
 * since 1970.
 */
final class LateWrites {
    private final long periodSeconds;
    private final LongConsumer persist;
    private final Deque<Period> periods = new ArrayDeque<>();
    private long persisted;

    private static final class Period {
        final long startSeconds;
        long lastSeconds;
        long oldest;

        Period(long startSeconds, long oldest) {
            this.startSeconds = startSeconds;
            this.lastSeconds = startSeconds;
            this.oldest = oldest;
        }
    }

    /**
     * @param stored the bound that was persisted last; the greatest number if there was no late write
     * @param persist makes a bound durable before it returns
     */
    LateWrites(long stored, long nowSeconds, long periodSeconds, LongConsumer persist) {
        this.periodSeconds = periodSeconds;
        this.persist = persist;
        this.persisted = stored;
        if (stored != Long.MAX_VALUE) {
            periods.add(new Period(nowSeconds, stored));
        }
    }

    /** Adds a late write before it becomes visible. Returns whether {@link #oldest} changed. */
    boolean note(long timestamp, long nowSeconds) {
        long before = oldest();
        Period last = periods.peekLast();
        if (last == null || nowSeconds - last.startSeconds > periodSeconds) {
            periods.add(new Period(nowSeconds, timestamp));
        } else {
            last.lastSeconds = nowSeconds;
            last.oldest = Math.min(last.oldest, timestamp);
        }
        if (timestamp < persisted) {
            persist(timestamp);
        }
        return timestamp < before;
    }

    /** Forgets the periods that ended before a time: their writes are merged. */
    void forgetBefore(long seconds) {
        if (periods.removeIf(period -> period.lastSeconds < seconds)) {
            persist(oldest());
        }
    }

    /** The least timestamp of the late writes that may not be merged yet; the greatest number if there are none. */
    long oldest() {
        return periods.stream().mapToLong(period -> period.oldest).min().orElse(Long.MAX_VALUE);
    }

    private void persist(long bound) {
        persist.accept(bound);
        persisted = bound;
    }
}
