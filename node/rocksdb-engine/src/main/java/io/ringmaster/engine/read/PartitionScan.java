package io.ringmaster.engine.read;

import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.store.Cursor;
import java.util.Arrays;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.IncludingExcludingBounds;
import org.apache.cassandra.dht.Range;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over partitions in token order. {@link #next} invalidates the iterator that {@link #read} returned before.
 */
public final class PartitionScan implements AutoCloseable {
    private final StoredPartitions partitions;
    private final @Nullable Cursor cursor;
    private final byte @Nullable [] end;
    private boolean isValid;
    private boolean isReversed;
    private byte @Nullable [] partition;

    private PartitionScan(StoredPartitions partitions, byte @Nullable [] start, byte @Nullable [] end) {
        this.partitions = partitions;
        this.end = end;
        this.cursor = partitions.store().cursor(Cursor.Reach.WHOLE_TABLE);
        if (cursor != null) {
            isValid = start == null ? cursor.seekFirst() : cursor.seek(start);
        }
    }

    /** The partitions within the bounds of a range query. Each bound is inclusive or exclusive. */
    public static PartitionScan within(StoredPartitions partitions, AbstractBounds<PartitionPosition> range) {
        boolean includesLeft = range instanceof Bounds || range instanceof IncludingExcludingBounds;
        boolean includesRight = range instanceof Bounds || range instanceof Range;
        return new PartitionScan(
                partitions, Keys.position(range.left, includesLeft), Keys.position(range.right, !includesRight));
    }

    /** The partitions from one position (inclusive) to another (exclusive); null is an end of the table. */
    public static PartitionScan between(
            StoredPartitions partitions, @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
        return new PartitionScan(partitions, Keys.position(from, true), Keys.position(to, true));
    }

    /** Advances to the next partition. Returns its key, or null at the end. */
    public @Nullable DecoratedKey next() {
        if (cursor == null) {
            return null;
        }
        leavePartition(cursor);
        if (!isValid || (end != null && Arrays.compareUnsigned(cursor.key(), end) >= 0)) {
            return null;
        }
        DecoratedKey key = Keys.decorated(cursor.key(), partitions.metadata().partitioner);
        partition = Keys.partition(key);
        isReversed = false;
        return key;
    }

    private void leavePartition(Cursor at) {
        byte[] left = partition;
        if (left != null) {
            isValid = at.isValid();
            if (isReversed || (isValid && Keys.startsWith(at.key(), left))) {
                isValid = at.seek(Keys.end(left));
            }
            partition = null;
        }
    }

    /**
     * Reads the current partition.
     *
     * @param key the last result of {@link #next}
     */
    public UnfilteredRowIterator read(DecoratedKey key, Slices slices, ColumnFilter filter, boolean reversed) {
        byte[] current = partition;
        if (cursor == null || current == null) {
            throw new IllegalStateException("next() has not returned a partition");
        }
        isReversed = reversed;
        return partitions.atCursor(key, current, slices, filter, reversed, cursor, false);
    }

    @Override
    public void close() {
        if (cursor != null) {
            cursor.close();
        }
    }
}
