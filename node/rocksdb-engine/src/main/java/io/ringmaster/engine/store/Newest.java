package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The newest timestamp that was written under each key of a table, or a newer one: keys share places. A write that says everything about a
 * record, and is newer than all that was written under its key, may take the place of what is stored: a read finds it and looks no further.
 *
 * <p>What is stored when the process begins is known by a bound alone, which is remembered a while ahead of the clock.
 */
final class Newest {
    private static final int PLACES = 512;
    private static final long AHEAD_MICROS = 60_000_000;
    private static final Object[] LOCKS = new Object[PLACES];

    static {
        Arrays.setAll(LOCKS, place -> new Object());
    }

    /** Each is guarded by the lock of its place. */
    private final long[] timestamps = new long[PLACES];

    private final LongConsumer remember;
    private volatile long bound;
    private volatile boolean isWritten;

    /**
     * @param bound no stored timestamp is greater
     * @param remember keeps a greater bound over a crash
     */
    Newest(long bound, LongConsumer remember) {
        this.bound = bound;
        this.remember = remember;
        Arrays.fill(timestamps, bound);
    }

    /** Calls one of the two: {@code replace} if what is stored is older and the write says everything, while nothing else is written there. */
    void write(Merge merge, Runnable add, Runnable replace) {
        cover(merge.newest);
        int place = Math.floorMod(Arrays.hashCode(merge.key), PLACES);
        synchronized (LOCKS[place]) {
            boolean isNewest = merge.newest > timestamps[place];
            timestamps[place] = Math.max(merge.newest, timestamps[place]);
            // asked here, a write of a column that this one does not know of is either seen by now, or comes later
            if (isNewest && merge.isWhole.getAsBoolean()) {
                replace.run();
                return;
            }
        }
        add.run();
    }

    /** To be called before it becomes visible. What replaces others has either ended by then, or will see that it is older. */
    void announce(Merge merge) {
        cover(merge.newest);
        announce(Math.floorMod(Arrays.hashCode(merge.key), PLACES), merge.newest);
    }

    /** The same for keys that are not known. */
    void announceAnywhere(long timestamp) {
        cover(timestamp);
        for (int place = 0; place < PLACES; place++) {
            announce(place, timestamp);
        }
    }

    private void announce(int place, long timestamp) {
        synchronized (LOCKS[place]) {
            timestamps[place] = Math.max(timestamp, timestamps[place]);
        }
    }

    /** To be called from time to time, so that writes seldom wait until a greater bound is remembered. */
    void keepAhead(long nowMicros) {
        if (isWritten) {
            isWritten = false;
            extend(nowMicros + AHEAD_MICROS / 2);
        }
    }

    private void cover(long timestamp) {
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
            remember.accept(greater);
            bound = greater;
        }
    }
}
