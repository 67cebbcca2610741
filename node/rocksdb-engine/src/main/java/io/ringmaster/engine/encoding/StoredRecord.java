package io.ringmaster.engine.encoding;

import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What one key of RocksDB stands for.
 *
 * @param partitionDeletion live but in a header record
 * @param ranges deletions of ranges, in the order they were written and possibly overlapping; empty but in a header record
 * @param row a row; in a header record the static row, or the only row where the table has no clustering columns
 */
public record StoredRecord(DeletionTime partitionDeletion, List<RangeTombstone> ranges, @Nullable Row row) {
    public static StoredRecord of(@Nullable Row row) {
        return new StoredRecord(DeletionTime.LIVE, List.of(), row);
    }

    /** The greatest timestamp in it. */
    public long newestTimestamp() {
        long newest = partitionDeletion.markedForDeleteAt();
        for (RangeTombstone range : ranges) {
            newest = Math.max(newest, range.deletionTime().markedForDeleteAt());
        }
        if (row == null) {
            return newest;
        }
        newest = Math.max(newest, row.primaryKeyLivenessInfo().timestamp());
        newest = Math.max(newest, row.deletion().time().markedForDeleteAt());
        for (ColumnData data : row) {
            newest = Math.max(newest, data.maxTimestamp());
        }
        return newest;
    }

    /** Whether it is a row with each of the table's columns, all of one timestamp: nothing that is older can be seen beside it. */
    public boolean isWhole(TableMetadata metadata) {
        if (row == null
                || deletesWidely()
                || !row.deletion().isLive()
                || row.primaryKeyLivenessInfo().isEmpty()
                || row.columnCount() != metadata.regularColumns().size()
                || metadata.isCounter()
                || metadata.isView()) {
            return false;
        }
        Iterator<ColumnMetadata> columns = metadata.regularColumns().iterator();
        for (ColumnData data : row) {
            if (!(data instanceof Cell<?> cell)
                    || !cell.column().name.equals(columns.next().name)
                    || cell.timestamp() != row.primaryKeyLivenessInfo().timestamp()) {
                return false;
            }
        }
        return true;
    }

    /** Whether it deletes a partition or a range. */
    public boolean deletesWidely() {
        return !partitionDeletion.isLive() || !ranges.isEmpty();
    }

    public boolean isEmpty() {
        return partitionDeletion.isLive() && ranges.isEmpty() && (row == null || row.isEmpty());
    }
}
