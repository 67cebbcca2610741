package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.PartitionRecord;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowAndDeletionMergeIterator;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** The slices of one partition, without the data that its own deletions shadow. */
final class StoredPartition extends AbstractUnfilteredRowIterator {
    private final PartitionRecord header;
    private final MutableDeletionInfo deletions;
    private final ColumnFilter filter;
    private final Slices slices;
    private final @Nullable StoredRows rows;
    private int slicesDone;
    private @Nullable UnfilteredRowIterator slice;

    /** @param rows null if the table has no clustering columns, so that its row is in the header */
    StoredPartition(
            TableMetadata metadata,
            DecoratedKey key,
            PartitionRecord header,
            ColumnFilter filter,
            Slices slices,
            boolean isReversed,
            @Nullable StoredRows rows) {
        super(
                metadata,
                key,
                header.partitionDeletion(),
                filter.fetchedColumns(),
                staticRow(metadata, header, filter),
                isReversed,
                EncodingStats.NO_STATS);
        this.header = header;
        this.filter = filter;
        this.slices = slices;
        this.rows = rows;
        this.deletions = new MutableDeletionInfo(header.partitionDeletion());
        for (RangeTombstone range : header.ranges()) {
            deletions.add(range, metadata.comparator);
        }
    }

    private static Row staticRow(TableMetadata metadata, PartitionRecord header, ColumnFilter filter) {
        Row stored = header.row();
        if (stored == null
                || !stored.isStatic()
                || filter.fetchedColumns().statics.isEmpty()) {
            return Rows.EMPTY_STATIC_ROW;
        }
        Row shown = stored.filter(filter, header.partitionDeletion(), false, metadata);
        return shown == null ? Rows.EMPTY_STATIC_ROW : shown;
    }

    @Override
    protected @Nullable Unfiltered computeNext() {
        while (true) {
            if (slice != null && slice.hasNext()) {
                return slice.next();
            }
            if (slicesDone == slices.size()) {
                return endOfData();
            }
            slice = merged(slices.get(isReverseOrder ? slices.size() - 1 - slicesDone : slicesDone));
            slicesDone++;
        }
    }

    private UnfilteredRowIterator merged(Slice wanted) {
        return new RowAndDeletionMergeIterator(
                metadata,
                partitionKey,
                partitionLevelDeletion,
                filter,
                Rows.EMPTY_STATIC_ROW,
                isReverseOrder,
                EncodingStats.NO_STATS,
                rows == null ? onlyRow() : rows.in(wanted),
                deletions.rangeIterator(wanted, isReverseOrder),
                true);
    }

    private Iterator<Row> onlyRow() {
        Row row = header.row();
        return row == null || row.isStatic()
                ? Collections.emptyIterator()
                : List.of(row).iterator();
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
    }
}
