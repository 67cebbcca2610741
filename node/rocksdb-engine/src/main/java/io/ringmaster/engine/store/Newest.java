package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
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

    private final AtomicLongArray timestamps = new AtomicLongArray(PLACES);
    private final LongConsumer remember;
    private volatile long bound;

    /**
     * @param bound no stored timestamp is greater
     * @param remember keeps a greater bound over a crash
     */
    Newest(long bound, LongConsumer remember) {
        this.bound = bound;
        this.remember = remember;
        for (int place = 0; place < PLACES; place++) {
            timestamps.set(place, bound);
        }
    }

    private static int place(byte[] key) {
        return Math.floorMod(Arrays.hashCode(key), PLACES);
    }

    /** Calls one of the two: {@code replace} if what is stored is older and the write says everything, while nothing else is written there. */
    void write(Merge merge, Runnable add, Runnable replace) {
        int place = place(merge.key);
        if (merge.isWhole) {
            cover(merge.newest);
            synchronized (LOCKS[place]) {
                if (merge.newest > timestamps.get(place)) {
                    timestamps.set(place, merge.newest);
                    replace.run();
                    return;
                }
            }
        }
        announce(merge);
        add.run();
    }

    /** To be called before it becomes visible. What replaces others has either ended by then, or will see that it is older. */
    void announce(Merge merge) {
        announce(place(merge.key), merge.newest);
    }

    /** The same for keys that are not known. */
    void announceAnywhere(long timestamp) {
        for (int place = 0; place < PLACES; place++) {
            announce(place, timestamp);
        }
    }

    private void announce(int place, long timestamp) {
        if (timestamp < timestamps.get(place)) {
            return;
        }
        cover(timestamp);
        synchronized (LOCKS[place]) {
            timestamps.set(place, Math.max(timestamp, timestamps.get(place)));
        }
    }

    private void cover(long timestamp) {
        if (timestamp > bound) {
            extend(timestamp);
        }
    }

    private synchronized void extend(long timestamp) {
        if (timestamp > bound) {
            long greater = timestamp > Long.MAX_VALUE - AHEAD_MICROS ? Long.MAX_VALUE : timestamp + AHEAD_MICROS;
            remember.accept(greater);
            bound = greater;
        }
    }
}
