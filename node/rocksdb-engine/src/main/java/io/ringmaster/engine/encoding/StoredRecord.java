package io.ringmaster.engine.encoding;

import java.util.List;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.rows.Row;
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

    /** Whether it deletes a partition or a range. */
    public boolean deletesWidely() {
        return !partitionDeletion.isLive() || !ranges.isEmpty();
    }

    public boolean isEmpty() {
        return partitionDeletion.isLive() && ranges.isEmpty() && (row == null || row.isEmpty());
    }
}
