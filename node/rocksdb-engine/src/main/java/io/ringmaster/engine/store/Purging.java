package io.ringmaster.engine.store;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** Which tombstones of one column family may be dropped. Laid out as {@code Table} in the native library. */
final class Purging {
    private static final long KEEP_SECONDS = 0;
    private static final long BELOW_TIMESTAMP = Long.BYTES;

    private static final long SWEPT_BEFORE = 2 * Long.BYTES;

    private final Memory memory = KeptMemory.of(3 * Long.BYTES);

    Purging() {
        forbid();
    }

    Pointer address() {
        return memory;
    }

    void forbid() {
        memory.setLong(KEEP_SECONDS, -1);
    }

    PurgeRules rules(long nowSeconds) {
        long keepSeconds = memory.getLong(KEEP_SECONDS);
        return new PurgeRules(
                nowSeconds,
                keepSeconds < 0 ? -1 : nowSeconds - keepSeconds,
                memory.getLong(BELOW_TIMESTAMP),
                memory.getLong(SWEPT_BEFORE));
    }

    /**
     * @param keepSeconds how long each is kept after it was written
     * @param belowTimestamp those at or above it are kept, because what they shadow may be elsewhere; in microseconds
     * @param sweptBefore deletions of partitions and ranges are kept if they are not from before it, in seconds since 1970
     */
    void allow(long keepSeconds, long belowTimestamp, long sweptBefore) {
        memory.setLong(SWEPT_BEFORE, sweptBefore);
        memory.setLong(BELOW_TIMESTAMP, belowTimestamp);
        memory.setLong(KEEP_SECONDS, keepSeconds);
    }
}
