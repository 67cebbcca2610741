package io.ringmaster.engine.store;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * The purge rules of one column family, in memory that the native library reads. The layout is that of
 * {@code TableRules} in {@code lib.rs}: five 64-bit integers.
 */
final class NativePurgeRules {
    private static final long KEEP_SECONDS = 0;
    private static final long BELOW_TIMESTAMP = Long.BYTES;
    private static final long SWEPT_BEFORE = 2 * Long.BYTES;
    private static final long MERGED_BEFORE = 3 * Long.BYTES;
    private static final long KEEPS_ELEMENTS = 4 * Long.BYTES;

    private final Memory memory = PermanentMemory.allocate(5 * Long.BYTES);

    NativePurgeRules() {
        forbid();
    }

    Pointer address() {
        return memory;
    }

    /** Keeps all tombstones. */
    void forbid() {
        memory.setLong(KEEP_SECONDS, -1);
    }

    /** The rules of a purge in Java, which merges all data of a record before. */
    PurgeRules rules(long nowSeconds) {
        long keepSeconds = memory.getLong(KEEP_SECONDS);
        return new PurgeRules(
                nowSeconds,
                keepSeconds < 0 ? -1 : nowSeconds - keepSeconds,
                memory.getLong(BELOW_TIMESTAMP),
                memory.getLong(SWEPT_BEFORE));
    }

    /** Whether compactions keep the tombstones of elements of collections, so that only a purge in Java drops them. */
    boolean keepElements() {
        return memory.getLong(KEEPS_ELEMENTS) != 0;
    }

    /** Sets whether compactions keep the tombstones of elements of collections. */
    void keepElements(boolean isKept) {
        memory.setLong(KEEPS_ELEMENTS, isKept ? 1 : 0);
    }

    /**
     * @param keepSeconds the time that tombstones are kept after they were written
     * @param belowTimestamp tombstones at or after it are kept, because they may shadow data elsewhere; in microseconds
     * @param sweptBefore deletions of partitions and ranges since then are kept; in seconds since 1970
     * @param mergedBefore the time up to which compactions have merged all writes; in seconds since 1970
     */
    void allow(long keepSeconds, long belowTimestamp, long sweptBefore, long mergedBefore) {
        memory.setLong(MERGED_BEFORE, mergedBefore);
        memory.setLong(SWEPT_BEFORE, sweptBefore);
        memory.setLong(BELOW_TIMESTAMP, belowTimestamp);
        memory.setLong(KEEP_SECONDS, keepSeconds);
    }
}
