package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.StoredRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.TableStore;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Reads partitions of one table as it is declared now. */
public final class StoredPartitions {
    private static final StoredRecord NO_HEADER = new StoredRecord(DeletionTime.LIVE, List.of(), null);

    private final TableStore store;
    private final TableMetadata metadata;

    public StoredPartitions(TableStore store, TableMetadata metadata) {
        this.store = store;
        this.metadata = metadata;
    }

    TableStore store() {
        return store;
    }

    /** Keeps what is read from being dropped; null if it is already. */
    public TableStore.@Nullable Lease lease() {
        return store.lease();
    }

    TableMetadata metadata() {
        return metadata;
    }

    /** Tables without clustering columns have no row but the one in the header. */
    private boolean hasOnlyHeaders() {
        return metadata.comparator.size() == 0;
    }

    /** Rows are read while they are asked for. Null if the slices hold neither a row nor a deletion. */
    public @Nullable UnfilteredRowIterator read(
            DecoratedKey key, Slices slices, ColumnFilter filter, boolean isReversed) {
        byte[] partition = Keys.partition(key);
        if (hasOnlyHeaders()) {
            byte[] value = store.get(Keys.header(partition));
            return value == null
                    ? null
                    : new StoredPartition(this, key, header(value, filter), filter, slices, isReversed, null);
        }
        boolean isToken = !isReversed && metadata.partitioner instanceof Murmur3Partitioner;
        Cursor cursor = store.cursor(isToken ? Cursor.Reach.TOKEN : Cursor.Reach.ANY_KEY);
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

    /** The partition whose first record the cursor stands at. */
    UnfilteredRowIterator atCursor(
            DecoratedKey key,
            byte[] partition,
            Slices slices,
            ColumnFilter filter,
            boolean isReversed,
            Cursor cursor,
            boolean closesCursor) {
        boolean hasHeader = Keys.isHeader(cursor.key(), partition.length);
        StoredRecord header = hasHeader ? header(cursor.value(), filter) : NO_HEADER;
        StoredRows rows =
                hasOnlyHeaders() ? null : new StoredRows(this, cursor, partition, filter, isReversed, closesCursor);
        return new StoredPartition(this, key, header, filter, slices, isReversed, rows);
    }

    private StoredRecord header(byte[] value, ColumnFilter filter) {
        return Decoder.header(value, metadata, store.columns(), filter);
    }
}
