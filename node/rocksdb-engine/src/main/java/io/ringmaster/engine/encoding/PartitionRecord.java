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
 * The content of one RocksDB key: the header of a partition, or one of its rows.
 *
 * @param partitionDeletion always live in the record of a row
 * @param ranges range tombstones, possibly overlapping; equally old ones are in the order of their writes. Empty in the
 *     record of a row
 * @param row in a header the static row, or the only row if the table has no clustering columns
 */
public record PartitionRecord(DeletionTime partitionDeletion, List<RangeTombstone> ranges, @Nullable Row row) {
    public static PartitionRecord of(@Nullable Row row) {
        return new PartitionRecord(DeletionTime.LIVE, List.of(), row);
    }

    /** The greatest timestamp of the record, in microseconds. */
    public long maxTimestamp() {
        long greatest = partitionDeletion.markedForDeleteAt();
        for (RangeTombstone range : ranges) {
            greatest = Math.max(greatest, range.deletionTime().markedForDeleteAt());
        }
        if (row == null) {
            return greatest;
        }
        greatest = Math.max(greatest, row.primaryKeyLivenessInfo().timestamp());
        greatest = Math.max(greatest, row.deletion().time().markedForDeleteAt());
        for (ColumnData data : row) {
            greatest = Math.max(greatest, data.maxTimestamp());
        }
        return greatest;
    }

    /** Whether the record is a row with every column of the table at one timestamp, so that it hides all older data. */
    public boolean isWhole(TableMetadata metadata) {
        if (row == null
                || deletesPartitionOrRange()
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

    public boolean deletesPartitionOrRange() {
        return !partitionDeletion.isLive() || !ranges.isEmpty();
    }

    public boolean isEmpty() {
        return partitionDeletion.isLive() && ranges.isEmpty() && (row == null || row.isEmpty());
    }
}
