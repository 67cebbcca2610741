package io.ringmaster.engine.export;

import io.ringmaster.engine.read.PartitionScan;
import java.util.NavigableSet;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/** The current partition of a scan, with only those methods that an sstable writer calls. */
final class ExportedPartition implements Partition {
    private final TableMetadata metadata;
    private final DecoratedKey key;
    private final PartitionScan scan;

    ExportedPartition(TableMetadata metadata, DecoratedKey key, PartitionScan scan) {
        this.metadata = metadata;
        this.key = key;
        this.scan = scan;
    }

    @Override
    public TableMetadata metadata() {
        return metadata;
    }

    @Override
    public DecoratedKey partitionKey() {
        return key;
    }

    @Override
    public RegularAndStaticColumns columns() {
        return metadata.regularAndStaticColumns();
    }

    @Override
    public EncodingStats stats() {
        return EncodingStats.NO_STATS;
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean hasRows() {
        return true;
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator() {
        return unfilteredIterator(ColumnFilter.all(metadata), Slices.ALL, false);
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(ColumnFilter columns, Slices slices, boolean isReversed) {
        return scan.read(key, slices, columns, isReversed);
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(
            ColumnFilter columns, NavigableSet<Clustering<?>> clusterings, boolean isReversed) {
        throw notForExports();
    }

    @Override
    public DeletionTime partitionLevelDeletion() {
        throw notForExports();
    }

    @Override
    public Row getRow(Clustering<?> clustering) {
        throw notForExports();
    }

    private static UnsupportedOperationException notForExports() {
        return new UnsupportedOperationException(
                "an exported partition can only be read once, from its start to its end");
    }
}
