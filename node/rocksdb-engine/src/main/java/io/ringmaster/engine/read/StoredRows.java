package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.store.Cursor;
import java.util.Arrays;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.AbstractIterator;

/** The stored rows of one partition, slice after slice. */
final class StoredRows implements AutoCloseable {
    private final StoredPartitions partitions;
    private final Cursor cursor;
    private final byte[] partition;
    private final ColumnFilter filter;
    private final boolean isReversed;
    private final boolean closesCursor;

    StoredRows(
            StoredPartitions partitions,
            Cursor cursor,
            byte[] partition,
            ColumnFilter filter,
            boolean isReversed,
            boolean closesCursor) {
        this.partitions = partitions;
        this.cursor = cursor;
        this.partition = partition;
        this.filter = filter;
        this.isReversed = isReversed;
        this.closesCursor = closesCursor;
    }

    /** Ends the one before: there is only one cursor. */
    AbstractIterator<Row> in(Slice slice) {
        byte[] start = key(slice.start());
        byte[] end = key(slice.end());
        return new AbstractIterator<>() {
            private boolean isStarted;

            @Override
            protected Row computeNext() {
                boolean isValid = isStarted ? move() : begin(start, end);
                isStarted = true;
                for (; isValid && isWithin(start, end); isValid = move()) {
                    Row row = row();
                    if (row != null) {
                        return row;
                    }
                }
                return endOfData();
            }
        };
    }

    private byte[] key(org.apache.cassandra.db.ClusteringBound<?> bound) {
        return Keys.row(partition, partitions.metadata().comparator, bound);
    }

    private boolean begin(byte[] start, byte[] end) {
        return isReversed ? cursor.seekBack(end) : cursor.seek(start);
    }

    private boolean move() {
        return isReversed ? cursor.previous() : cursor.next();
    }

    private boolean isWithin(byte[] start, byte[] end) {
        byte[] key = cursor.key();
        return Arrays.compareUnsigned(key, start) >= 0 && Arrays.compareUnsigned(key, end) < 0;
    }

    /** Null if nothing of it is left: all its columns were dropped. */
    private @org.jspecify.annotations.Nullable Row row() {
        return Decoder.row(
                cursor.key(),
                partition.length,
                cursor.value(),
                partitions.metadata(),
                partitions.store().columns(),
                filter);
    }

    @Override
    public void close() {
        if (closesCursor) {
            cursor.close();
        }
    }
}
