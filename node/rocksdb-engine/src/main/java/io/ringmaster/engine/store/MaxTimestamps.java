package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Upper bounds of the timestamps written under each key of a table. Keys share {@value #SLOTS} slots by their hash. A
 * write of a full row that is newer than its slot's bound may replace the stored value, so that a read stops there.
 *
 * <p>For data from before the start of the process only {@link TimestampBounds} are known. They are durable, and kept a
 * while ahead of the clock so that few writes have to move them. All timestamps are in microseconds.
 */
final class MaxTimestamps {
    static final int SLOTS = 4096;
    private static final long AHEAD_MICROS = 60_000_000;
    private static final Object[] LOCKS = new Object[SLOTS];

    static {
        Arrays.setAll(LOCKS, slot -> new Object());
    }

    /** Each is guarded by the lock of its slot. */
    private final long[] timestamps = new long[SLOTS];

    private final LongSupplier clock;
    private final Consumer<String> persist;
    private volatile TimestampBounds bounds;
    private volatile boolean isWritten;

    /**
     * @param bounds of the stored timestamps
     * @param clock the current time
     * @param persist makes the text of greater bounds durable before it returns
     */
    MaxTimestamps(TimestampBounds bounds, LongSupplier clock, Consumer<String> persist) {
        this.bounds = bounds;
        this.clock = clock;
        this.persist = persist;
        Arrays.setAll(timestamps, bounds::of);
    }

    static int slot(byte[] key) {
        return Math.floorMod(Arrays.hashCode(key), SLOTS);
    }

    /** The maxima of no timestamps, one for each slot. */
    static long[] none() {
        long[] maxima = new long[SLOTS];
        Arrays.fill(maxima, Long.MIN_VALUE);
        return maxima;
    }

    /**
     * Calls {@code replace} if the operand is a full row that is newer than all data under its key, else {@code add}.
     * {@code replace} excludes other writes to the slot.
     */
    void write(MergeOperand operand, Runnable add, Runnable replace) {
        int slot = slot(operand.key);
        ensureBound(slot, operand.maxTimestamp);
        synchronized (LOCKS[slot]) {
            boolean isNewest = operand.maxTimestamp > timestamps[slot];
            timestamps[slot] = Math.max(operand.maxTimestamp, timestamps[slot]);
            // checked under the lock: a write of a column that this row lacks is either visible now, or comes later
            if (isNewest && operand.isWhole.getAsBoolean()) {
                replace.run();
                return;
            }
        }
        add.run();
    }

    /** Called before a write becomes visible. A concurrent replacement is then either complete, or not newer. */
    void raise(MergeOperand operand) {
        raise(slot(operand.key), operand.maxTimestamp);
    }

    /** Like {@link #raise(MergeOperand)}, for many writes: the greatest timestamp of each slot. */
    void raiseAll(long[] maxima) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (maxima[slot] != Long.MIN_VALUE) {
                raise(slot, maxima[slot]);
            }
        }
    }

    private void raise(int slot, long timestamp) {
        ensureBound(slot, timestamp);
        synchronized (LOCKS[slot]) {
            timestamps[slot] = Math.max(timestamp, timestamps[slot]);
        }
    }

    /** Called periodically to keep the durable bounds ahead of the clock, so that few writes wait for them. */
    void extendBounds() {
        if (isWritten) {
            isWritten = false;
            extendTo(clock.getAsLong() + AHEAD_MICROS / 2);
        }
    }

    private void ensureBound(int slot, long timestamp) {
        if (!isWritten) {
            isWritten = true;
        }
        if (timestamp > bounds.of(slot)) {
            long now = clock.getAsLong();
            if (timestamp <= now + AHEAD_MICROS) {
                extendTo(timestamp);
            } else {
                extendFuture(slot, timestamp, now);
            }
        }
    }

    private synchronized void extendTo(long needed) {
        if (needed > bounds.common()) {
            replaceBounds(bounds.withCommon(ahead(needed, AHEAD_MICROS)));
        }
    }

    /** The further a writer's clock is ahead, the faster it may run. */
    private synchronized void extendFuture(int slot, long needed, long now) {
        if (needed > bounds.of(slot)) {
            replaceBounds(bounds.withFuture(slot, ahead(needed, needed - Math.max(0, now))));
        }
    }

    private static long ahead(long timestamp, long distance) {
        return timestamp > Long.MAX_VALUE - distance ? Long.MAX_VALUE : timestamp + distance;
    }

    private void replaceBounds(TimestampBounds greater) {
        persist.accept(greater.text());
        bounds = greater;
    }
}
