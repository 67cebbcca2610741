package io.ringmaster.engine.tombstone;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.MergeOperand;
import io.ringmaster.engine.store.TableStore;
import java.util.List;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.WriteOptions;

/**
 * One pass over a table that writes each deletion of a partition or a range onto the rows that it shadows. Compactions
 * then drop the shadowed data, and later the deletions.
 *
 * <p>Results of queries do not change: Cassandra hides a row deletion that equals the deletion of its partition or
 * range. A collection deletion that equals it is dropped, so digests of replicas may differ.
 */
public final class TombstoneSweep {
    private final TableStore store;
    private final TableMetadata metadata;
    private final WriteOptions options;
    private final RateLimiter limiter;

    /** @param limiter permits are bytes read from the store */
    public TombstoneSweep(TableStore store, TableMetadata metadata, WriteOptions options, RateLimiter limiter) {
        this.store = store;
        this.metadata = metadata;
        this.options = options;
        this.limiter = limiter;
    }

    /** Returns the number of rows that got a deletion. */
    public long run() {
        try (Cursor cursor = store.cursor(Cursor.Reach.WHOLE_TABLE)) {
            long swept = 0;
            boolean isValid = cursor != null && cursor.seekFirst();
            while (cursor != null && isValid) {
                byte[] partition = Keys.partition(Keys.decorated(cursor.key(), metadata.partitioner));
                if (Keys.isHeader(cursor.key(), partition.length)) {
                    swept += sweep(cursor, partition);
                }
                isValid = cursor.seek(Keys.end(partition));
            }
            return swept;
        }
    }

    private long sweep(Cursor cursor, byte[] partition) {
        byte[] value = cursor.value();
        limiter.acquire(value.length + 1);
        PartitionRecord header = Decoder.header(value, metadata, store.columns(), null);
        if (!header.deletesPartitionOrRange()) {
            return 0;
        }
        MutableDeletionInfo deletions = new MutableDeletionInfo(header.partitionDeletion());
        for (RangeTombstone range : header.ranges()) {
            deletions.add(range, metadata.comparator);
        }
        long swept = 0;
        while (cursor.next() && Keys.startsWith(cursor.key(), partition)) {
            byte[] key = cursor.key();
            byte[] stored = cursor.value();
            limiter.acquire(stored.length + 1);
            Row row = Decoder.row(key, partition.length, stored, metadata, store.columns(), null);
            if (row == null) {
                continue;
            }
            DeletionTime deletion = covering(deletions, row);
            if (!deletion.isLive() && isShadowed(row, deletion)) {
                PartitionRecord deleted =
                        PartitionRecord.of(BTreeRow.emptyDeletedRow(row.clustering(), Row.Deletion.regular(deletion)));
                byte[] operand = Encoder.encode(deleted, metadata, store.columns());
                store.merge(List.of(new MergeOperand(key, operand, deleted.maxTimestamp())), options);
                swept++;
            }
        }
        return swept;
    }

    private static DeletionTime covering(MutableDeletionInfo deletions, Row row) {
        RangeTombstone range = deletions.rangeCovering(row.clustering());
        return range != null && range.deletionTime().supersedes(deletions.getPartitionDeletion())
                ? range.deletionTime()
                : deletions.getPartitionDeletion();
    }

    /** Whether the deletion shadows any data of the row, other than an older deletion of the row. */
    private static boolean isShadowed(Row row, DeletionTime deletion) {
        if (!row.primaryKeyLivenessInfo().isEmpty() && deletion.deletes(row.primaryKeyLivenessInfo())) {
            return true;
        }
        for (ColumnData data : row) {
            if (data instanceof ComplexColumnData complex
                    && deletion.deletes(complex.complexDeletion().markedForDeleteAt())
                    && !complex.complexDeletion().isLive()) {
                return true;
            }
        }
        for (Cell<?> cell : row.cells()) {
            if (deletion.deletes(cell)) {
                return true;
            }
        }
        return false;
    }
}
