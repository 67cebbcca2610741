package io.ringmaster.engine.purge;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.PurgeRules;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a table that merges the operands of each record into one and drops purgeable data. Reads do not change.
 */
final class StorePurge {
    private final TableStore store;
    private final TableMetadataRef metadata;
    private final RateLimiter limiter;

    /** @param limiter permits are bytes read from the store */
    StorePurge(TableStore store, TableMetadataRef metadata, RateLimiter limiter) {
        this.store = store;
        this.metadata = metadata;
        this.limiter = limiter;
    }

    /** Returns the number of rewritten records. */
    long run() {
        long replaced = 0;
        try (Cursor cursor = store.cursor(Cursor.Reach.WHOLE_TABLE)) {
            if (cursor == null) {
                return 0;
            }
            for (boolean isValid = cursor.seekFirst(); isValid; isValid = cursor.next()) {
                byte[] key = cursor.key();
                byte[] value = cursor.value();
                limiter.acquire(value.length + 1);
                if (!Arrays.equals(value, merged(key, value))) {
                    store.replace(key, stored -> merged(key, stored));
                    replaced++;
                }
            }
        }
        return replaced;
    }

    /**
     * The merged and purged value, or null if nothing is left. Uses the current schema, because a column may have been
     * added and written since the pass started.
     */
    private byte @Nullable [] merged(byte[] key, byte[] value) {
        TableMetadata now = metadata.get();
        PartitionRecord left = purged(Decoder.record(key, value, now, store.columns()), now, store.purgeRules());
        return left.isEmpty() ? null : Encoder.encode(left, now, store.columns());
    }

    static PartitionRecord purged(PartitionRecord stored, TableMetadata metadata, PurgeRules rules) {
        DeletionTime partition = stored.partitionDeletion();
        Row row = stored.row();
        if (row != null) {
            row = row.filter(ColumnFilter.all(metadata), partition, false, metadata);
        }
        if (row != null) {
            row = row.purge(rules, rules.nowSeconds(), false);
        }
        List<RangeTombstone> ranges = needed(stored.ranges(), partition, metadata.comparator);
        ranges.removeIf(range -> rules.shouldPurgePartitionOrRange(range.deletionTime()));
        return new PartitionRecord(
                rules.shouldPurgePartitionOrRange(partition) ? DeletionTime.LIVE : partition, ranges, row);
    }

    /** The ranges without what newer ranges or the deletion of the partition shadow of them. */
    private static List<RangeTombstone> needed(
            List<RangeTombstone> ranges, DeletionTime partition, ClusteringComparator comparator) {
        MutableDeletionInfo merged = MutableDeletionInfo.live();
        ranges.forEach(range -> merged.add(range, comparator));
        List<RangeTombstone> needed = new ArrayList<>();
        merged.rangeIterator(false).forEachRemaining(needed::add);
        needed.removeIf(range -> range.deletionTime().markedForDeleteAt() < partition.markedForDeleteAt());
        return needed;
    }
}
