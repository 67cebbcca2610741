package io.ringmaster.engine.scrub;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.StoredRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.PurgeRules;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;

/** One pass over a table, which replaces the operands of each record by one that says the same. Nothing that is read changes by it. */
final class Scrub {
    private final TableStore store;
    private final TableMetadataRef metadata;
    private final RateLimiter limiter;

    /** @param limiter bytes that may be read each second */
    Scrub(TableStore store, TableMetadataRef metadata, RateLimiter limiter) {
        this.store = store;
        this.metadata = metadata;
        this.limiter = limiter;
    }

    /** Answers how many records it replaced. */
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
                if (!Arrays.equals(value, folded(key, value))) {
                    store.replace(key, stored -> folded(key, stored));
                    replaced++;
                }
            }
        }
        return replaced;
    }

    /** With the columns of this moment, because a write of a new column may have come since the pass began. Null if nothing is left. */
    private byte @Nullable [] folded(byte[] key, byte[] value) {
        TableMetadata now = metadata.get();
        StoredRecord left = purged(Decoder.record(key, value, now, store.columns()), now, store.purgeRules());
        return left.isEmpty() ? null : Encoder.encode(left, now, store.columns());
    }

    private static StoredRecord purged(StoredRecord stored, TableMetadata metadata, PurgeRules rules) {
        DeletionTime partition = stored.partitionDeletion();
        Row row = stored.row();
        if (row != null) {
            row = row.filter(ColumnFilter.all(metadata), partition, false, metadata);
        }
        if (row != null) {
            row = row.purge(rules, rules.nowSeconds(), false);
        }
        List<RangeTombstone> ranges = needed(stored.ranges(), partition, metadata.comparator);
        ranges.removeIf(range -> rules.shouldPurgeWide(range.deletionTime()));
        return new StoredRecord(rules.shouldPurgeWide(partition) ? DeletionTime.LIVE : partition, ranges, row);
    }

    /**
     * Leaves out the ranges that lie within a newer one, so that deleting the same again and again costs nothing. Of two with the same
     * timestamp both stay: which of them Cassandra shows depends on the order in which they were written.
     */
    private static List<RangeTombstone> needed(
            List<RangeTombstone> ranges, DeletionTime partition, ClusteringComparator comparator) {
        List<RangeTombstone> kept = new ArrayList<>();
        for (RangeTombstone range : ranges) {
            boolean isShadowed = range.deletionTime().markedForDeleteAt() < partition.markedForDeleteAt();
            if (!isShadowed && kept.stream().noneMatch(other -> isSuperfluous(range, other, comparator))) {
                kept.removeIf(other -> isSuperfluous(other, range, comparator));
                kept.add(range);
            }
        }
        return kept;
    }

    private static boolean isSuperfluous(RangeTombstone inner, RangeTombstone outer, ClusteringComparator comparator) {
        return comparator.compare(
                                outer.deletedSlice().start(),
                                inner.deletedSlice().start())
                        <= 0
                && comparator.compare(
                                inner.deletedSlice().end(), outer.deletedSlice().end())
                        <= 0
                && (inner.deletionTime().markedForDeleteAt()
                                < outer.deletionTime().markedForDeleteAt()
                        || inner.deletionTime().equals(outer.deletionTime()));
    }
}
