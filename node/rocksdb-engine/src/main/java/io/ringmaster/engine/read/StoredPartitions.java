package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.TableStore;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Reads the partitions of one store with one version of the table's schema. */
public final class StoredPartitions {
    private static final PartitionRecord NO_HEADER = new PartitionRecord(DeletionTime.LIVE, List.of(), null);

    private final TableStore store;
    private final TableMetadata metadata;

    public StoredPartitions(TableStore store, TableMetadata metadata) {
        this.store = store;
        this.metadata = metadata;
    }

    TableStore store() {
        return store;
    }

    /** Prevents the store from being dropped; null if it is dropped already. */
    public TableStore.@Nullable Lease lease() {
        return store.lease();
    }

    public TableMetadata metadata() {
        return metadata;
    }

    /** RocksDB's estimate of the size of the partitions between two positions; null is an end of the table. */
    public long approximateBytes(@Nullable PartitionPosition from, @Nullable PartitionPosition to) {
        return store.approximateBytes(Keys.position(from, true), Keys.position(to, true));
    }

    /** Tables without clustering columns have their only row in the header. */
    private boolean hasOnlyHeaders() {
        return metadata.comparator.size() == 0;
    }

    /** Whether the store has a record of the partition. Leaves no resource open. */
    public boolean contains(DecoratedKey key) {
        byte[] partition = Keys.partition(key);
        byte[] header = Keys.header(partition);
        try (TableStore.Lease lease = store.lease()) {
            if (lease == null) {
                return false;
            }
            if (hasOnlyHeaders()) {
                return store.get(header) != null;
            }
            try (Cursor cursor = store.cursor(reach(false))) {
                return cursor != null && cursor.seek(header) && Keys.startsWith(cursor.key(), partition);
            }
        }
    }

    private Cursor.Reach reach(boolean isReversed) {
        boolean isToken = !isReversed && metadata.partitioner instanceof Murmur3Partitioner;
        return isToken ? Cursor.Reach.TOKEN : Cursor.Reach.ANY_KEY;
    }

    /** Reads one partition; its rows are read lazily. Null if the store has no record of it. */
    public @Nullable UnfilteredRowIterator read(
            DecoratedKey key, Slices slices, ColumnFilter filter, boolean isReversed) {
        byte[] partition = Keys.partition(key);
        if (hasOnlyHeaders()) {
            byte[] value = store.get(Keys.header(partition));
            return value == null
                    ? null
                    : new StoredPartition(
                            metadata, key, header(value, filter, slices), filter, slices, isReversed, null);
        }
        Cursor cursor = store.cursor(reach(isReversed));
        if (cursor == null) {
            return null;
        }
        try {
            if (!cursor.seek(Keys.header(partition)) || !Keys.startsWith(cursor.key(), partition)) {
                cursor.close();
                return null;
            }
            return atCursor(key, partition, slices, filter, isReversed, cursor, true);
        } catch (RuntimeException | Error e) {
            cursor.close();
            throw e;
        }
    }

    /** Reads the partition whose first record is the cursor's position. */
    UnfilteredRowIterator atCursor(
            DecoratedKey key,
            byte[] partition,
            Slices slices,
            ColumnFilter filter,
            boolean isReversed,
            Cursor cursor,
            boolean closesCursor) {
        boolean hasHeader = Keys.isHeader(cursor.key(), partition.length);
        PartitionRecord header = hasHeader ? header(cursor.value(), filter, slices) : NO_HEADER;
        StoredRows rows = hasOnlyHeaders()
                ? null
                : new StoredRows(metadata, store.columns(), cursor, partition, filter, isReversed, closesCursor);
        return new StoredPartition(metadata, key, header, filter, slices, isReversed, rows);
    }

    private PartitionRecord header(byte[] value, ColumnFilter filter, Slices slices) {
        return Decoder.header(value, metadata, store.columns(), filter, slices);
    }
}
