package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.ColumnNumbers;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.store.Cursor;
import java.util.Arrays;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;
import org.jspecify.annotations.Nullable;

/** The stored rows of one partition, one slice after another. */
final class StoredRows implements AutoCloseable {
    private final TableMetadata metadata;
    private final ColumnNumbers columns;
    private final Cursor cursor;
    private final byte[] partition;
    private final ColumnFilter filter;
    private final boolean isReversed;
    private final boolean closesCursor;

    StoredRows(
            TableMetadata metadata,
            ColumnNumbers columns,
            Cursor cursor,
            byte[] partition,
            ColumnFilter filter,
            boolean isReversed,
            boolean closesCursor) {
        this.metadata = metadata;
        this.columns = columns;
        this.cursor = cursor;
        this.partition = partition;
        this.filter = filter;
        this.isReversed = isReversed;
        this.closesCursor = closesCursor;
    }

    /** Invalidates the iterator of the slice before, because all slices share one cursor. */
    AbstractIterator<Row> in(Slice slice) {
        byte[] start = key(slice.start());
        byte[] end = key(slice.end());
        return new AbstractIterator<>() {
            private boolean isStarted;

            @Override
            protected Row computeNext() {
                boolean isValid = isStarted ? move() : seek(start, end);
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

    private byte[] key(ClusteringBound<?> bound) {
        return Keys.row(partition, metadata.comparator, bound);
    }

    private boolean seek(byte[] start, byte[] end) {
        return isReversed ? cursor.seekBack(end) : cursor.seek(start);
    }

    private boolean move() {
        return isReversed ? cursor.previous() : cursor.next();
    }

    private boolean isWithin(byte[] start, byte[] end) {
        byte[] key = cursor.key();
        return Arrays.compareUnsigned(key, start) >= 0 && Arrays.compareUnsigned(key, end) < 0;
    }

    /** Null if all columns of the row were dropped. */
    private @Nullable Row row() {
        return Decoder.row(cursor.key(), partition.length, cursor.value(), metadata, columns, filter);
    }

    @Override
    public void close() {
        if (closesCursor) {
            cursor.close();
        }
    }
}
