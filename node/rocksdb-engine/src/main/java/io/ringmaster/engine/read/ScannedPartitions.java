package io.ringmaster.engine.read;

import java.util.NoSuchElementException;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** The result of a range query. */
public final class ScannedPartitions extends AbstractUnfilteredPartitionIterator {
    private final TableMetadata metadata;
    private final PartitionScan scan;
    private final ColumnFilter filter;
    private final DataRange range;
    private @Nullable DecoratedKey next;

    public ScannedPartitions(TableMetadata metadata, PartitionScan scan, ColumnFilter filter, DataRange range) {
        this.metadata = metadata;
        this.scan = scan;
        this.filter = filter;
        this.range = range;
    }

    @Override
    public TableMetadata metadata() {
        return metadata;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = scan.next();
        }
        return next != null;
    }

    @Override
    public UnfilteredRowIterator next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        DecoratedKey key = next;
        next = null;
        ClusteringIndexFilter wanted = range.clusteringIndexFilter(key);
        return scan.read(key, wanted.getSlices(metadata), filter, wanted.isReversed());
    }

    @Override
    public void close() {
        scan.close();
    }
}
