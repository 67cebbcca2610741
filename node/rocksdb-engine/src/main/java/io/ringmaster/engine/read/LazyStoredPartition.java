package io.ringmaster.engine.read;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.LazilyInitializedUnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/** A whole partition that opens its cursor when it is read first, so that one that is never read needs no close. */
public final class LazyStoredPartition extends LazilyInitializedUnfilteredRowIterator {
    private final StoredPartitions partitions;

    public LazyStoredPartition(StoredPartitions partitions, DecoratedKey key) {
        super(key);
        this.partitions = partitions;
    }

    @Override
    protected UnfilteredRowIterator initializeIterator() {
        UnfilteredRowIterator read =
                partitions.read(partitionKey(), Slices.ALL, ColumnFilter.all(partitions.metadata()), false);
        return read == null ? EmptyIterators.unfilteredRow(partitions.metadata(), partitionKey(), false) : read;
    }
}
