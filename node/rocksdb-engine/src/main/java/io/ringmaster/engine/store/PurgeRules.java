package io.ringmaster.engine.store;

import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.DeletionTime;

/**
 * The tombstones of a store that may be dropped, as of one moment. {@code purge.rs} implements the same rules.
 *
 * @param nowSeconds the current time, in seconds since 1970
 * @param beforeSeconds no replica needs deletions from before this second; negative to keep all deletions
 * @param belowTimestamp deletions at or after it may shadow data outside of RocksDB; in microseconds
 * @param sweptBefore deletions of partitions and ranges from before this second shadow no other record
 */
public record PurgeRules(long nowSeconds, long beforeSeconds, long belowTimestamp, long sweptBefore)
        implements DeletionPurger {
    /**
     * How far a writer's clock may be ahead of the clock that sets local deletion times, which are rounded down to a
     * second. Tombstones with a greater timestamp are kept.
     */
    public static final long MAX_CLOCK_SKEW_SECONDS = 60;

    private static final long MICROS_PER_SECOND = 1_000_000;

    @Override
    public boolean shouldPurge(long timestamp, long localDeletionTime) {
        // a deletion with a timestamp in its own future could shadow a write that is not merged with it yet
        return localDeletionTime < beforeSeconds
                && timestamp < belowTimestamp
                && timestamp < (localDeletionTime + 1 + MAX_CLOCK_SKEW_SECONDS) * MICROS_PER_SECOND;
    }

    public boolean shouldPurgePartitionOrRange(DeletionTime deletion) {
        return shouldPurge(deletion) && deletion.localDeletionTime() < sweptBefore;
    }
}
