package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Upper bounds of the timestamps written under each key of a table. Keys share {@value #SLOTS} slots by their hash. A
 * write of a full row that is newer than its slot's bound may replace the stored value, so that a read stops there.
 *
 * <p>For data from before the start of the process a single bound is known. It is durable, and kept a while ahead of
 * the clock so that few writes have to move it. All timestamps are in microseconds.
 */
final class MaxTimestamps {
    private static final int SLOTS = 512;
    private static final long AHEAD_MICROS = 60_000_000;
    private static final Object[] LOCKS = new Object[SLOTS];

    static {
        Arrays.setAll(LOCKS, slot -> new Object());
    }

    /** Each is guarded by the lock of its slot. */
    private final long[] timestamps = new long[SLOTS];

    private final LongConsumer persist;
    private volatile long bound;
    private volatile boolean isWritten;

    /**
     * @param bound no stored timestamp is greater
     * @param persist makes a greater bound durable before it returns
     */
    MaxTimestamps(long bound, LongConsumer persist) {
        this.bound = bound;
        this.persist = persist;
        Arrays.fill(timestamps, bound);
    }

    /**
     * Calls {@code replace} if the operand is a full row that is newer than all data under its key, else {@code add}.
     * {@code replace} excludes other writes to the slot.
     */
    void write(MergeOperand operand, Runnable add, Runnable replace) {
        ensureBound(operand.maxTimestamp);
        int slot = slot(operand);
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
        ensureBound(operand.maxTimestamp);
        raise(slot(operand), operand.maxTimestamp);
    }

    /** Like {@link #raise(MergeOperand)}, for writes to unknown keys. */
    void raiseAll(long timestamp) {
        ensureBound(timestamp);
        for (int slot = 0; slot < SLOTS; slot++) {
            raise(slot, timestamp);
        }
    }

    private void raise(int slot, long timestamp) {
        synchronized (LOCKS[slot]) {
            timestamps[slot] = Math.max(timestamp, timestamps[slot]);
        }
    }

    private static int slot(MergeOperand operand) {
        return Math.floorMod(Arrays.hashCode(operand.key), SLOTS);
    }

    /** Called periodically to keep the durable bound ahead of the clock, so that few writes wait for it. */
    void extendBound(long nowMicros) {
        if (isWritten) {
            isWritten = false;
            extend(nowMicros + AHEAD_MICROS / 2);
        }
    }

    private void ensureBound(long timestamp) {
        if (!isWritten) {
            isWritten = true;
        }
        if (timestamp > bound) {
            extend(timestamp);
        }
    }

    private synchronized void extend(long needed) {
        if (needed > bound) {
            long greater = needed > Long.MAX_VALUE - AHEAD_MICROS ? Long.MAX_VALUE : needed + AHEAD_MICROS;
            persist.accept(greater);
            bound = greater;
        }
    }
}
