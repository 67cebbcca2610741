package io.ringmaster.engine.store;

import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.DeletionTime;

/**
 * What nobody needs any more of one store, at one moment. The native library has the same rules, in {@code purge.rs}.
 *
 * @param nowSeconds since 1970
 * @param beforeSeconds deletions of before this second are not needed by any replica; none if negative
 * @param belowTimestamp there may be something for newer deletions to shadow, somewhere else than in RocksDB; in microseconds
 * @param sweptBefore deletions of partitions and ranges from before this second shadow no other record any more
 */
public record PurgeRules(long nowSeconds, long beforeSeconds, long belowTimestamp, long sweptBefore)
        implements DeletionPurger {
    private static final long MICROS_PER_SECOND = 1_000_000;

    @Override
    public boolean shouldPurge(long timestamp, long localDeletionTime) {
        // a deletion that names a later time than its own could shadow a write that is not merged with it yet
        return localDeletionTime < beforeSeconds
                && timestamp < belowTimestamp
                && timestamp <= localDeletionTime * MICROS_PER_SECOND;
    }

    /** Of a partition or a range. */
    public boolean shouldPurgeWide(DeletionTime deletion) {
        return shouldPurge(deletion) && deletion.localDeletionTime() < sweptBefore;
    }
}
