package io.ringmaster.engine.encoding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one value and merges its operands as Cassandra merges versions of a row. The cells share the value's array,
 * which must not be modified.
 */
public final class Decoder {
    private static final int DELETION_BYTES = Long.BYTES + Integer.BYTES;

    private final TableMetadata metadata;
    private final ColumnNumbers.View columns;
    private final @Nullable ColumnFilter filter;
    private final Slices slices;
    private final ByteBuffer in;
    private final Clustering<?> clustering;

    private DeletionTime partitionDeletion = DeletionTime.LIVE;
    private List<RangeTombstone> ranges = List.of();
    private @Nullable Row row;

    private Decoder(
            byte[] value,
            Clustering<?> clustering,
            TableMetadata metadata,
            ColumnNumbers columns,
            @Nullable ColumnFilter filter,
            Slices slices) {
        this.metadata = metadata;
        this.columns = columns.view(metadata);
        this.filter = filter;
        this.slices = slices;
        this.in = ByteBuffer.wrap(value);
        this.clustering = clustering;
    }

    /** Decodes the header record of a partition. */
    public static PartitionRecord header(
            byte[] value, TableMetadata metadata, ColumnNumbers columns, @Nullable ColumnFilter filter) {
        return header(value, metadata, columns, filter, Slices.ALL);
    }

    /** Decodes the header record of a partition, without the ranges that no slice intersects. */
    public static PartitionRecord header(
            byte[] value, TableMetadata metadata, ColumnNumbers columns, @Nullable ColumnFilter filter, Slices slices) {
        Clustering<?> clustering = metadata.comparator.size() == 0 ? Clustering.EMPTY : Clustering.STATIC_CLUSTERING;
        return new Decoder(value, clustering, metadata, columns, filter, slices).read();
    }

    /** Decodes the row of a key that starts with the partition's prefix. Null if all its columns were dropped. */
    public static @Nullable Row row(
            byte[] key,
            int partitionLength,
            byte[] value,
            TableMetadata metadata,
            ColumnNumbers columns,
            @Nullable ColumnFilter filter) {
        Clustering<?> clustering = Keys.clustering(metadata.comparator, key, partitionLength);
        return new Decoder(value, clustering, metadata, columns, filter, Slices.NONE)
                .read()
                .row();
    }

    /** Decodes the record of any key, with all its columns. */
    public static PartitionRecord record(byte[] key, byte[] value, TableMetadata metadata, ColumnNumbers columns) {
        int partitionLength = Keys.partition(Keys.decorated(key, metadata.partitioner)).length;
        return Keys.isHeader(key, partitionLength)
                ? header(value, metadata, columns, null)
                : PartitionRecord.of(row(key, partitionLength, value, metadata, columns, null));
    }

    private PartitionRecord read() {
        try {
            while (in.hasRemaining()) {
                int end = length() + in.position();
                Row version = operand(end);
                if (in.position() != end) {
                    throw malformed("an operand ends elsewhere than its length says", null);
                }
                if (version != null && !version.isEmpty()) {
                    row = row == null ? version : Rows.merge(row, version);
                }
            }
        } catch (MalformedValueException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            // from the buffer, or from Cassandra's types
            throw malformed(String.valueOf(e), e);
        }
        return new PartitionRecord(partitionDeletion, ranges, row);
    }

    private MalformedValueException malformed(String why, @Nullable Throwable cause) {
        return new MalformedValueException(
                "malformed value of " + metadata + " in RocksDB at byte " + in.position() + " of " + in.limit() + ": "
                        + why + " -> call verify() of the MBean; replace the node's data if it finds damage",
                cause);
    }

    /** Reads a length. Checked, because a wrong one could allocate all memory. */
    private int length() {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw malformed("a length of " + length, null);
        }
        return length;
    }

    private @Nullable Row operand(int end) {
        int flags = in.get();
        if ((flags & OperandFormat.PARTITION_DELETION) != 0) {
            DeletionTime deletion = deletion();
            if (deletion.supersedes(partitionDeletion)) {
                partitionDeletion = deletion;
            }
        }
        if ((flags & OperandFormat.RANGES) != 0) {
            ranges();
        }
        LivenessInfo liveness = (flags & OperandFormat.LIVENESS) != 0 ? liveness() : LivenessInfo.EMPTY;
        Row.Deletion deletion = Row.Deletion.LIVE;
        if ((flags & OperandFormat.ROW_DELETION) != 0) {
            deletion = new Row.Deletion(deletion(), (flags & OperandFormat.SHADOWABLE) != 0);
        }
        Clustering<?> written = (flags & OperandFormat.CLUSTERING) != 0 ? clustering() : clustering;
        if (in.position() == end && liveness.isEmpty() && deletion.isLive()) {
            return null;
        }
        Row.Builder builder = BTreeRow.unsortedBuilder();
        builder.newRow(written);
        builder.addPrimaryKeyLivenessInfo(liveness);
        builder.addRowDeletion(deletion);
        while (in.position() < end) {
            cell(builder, liveness);
        }
        return builder.build();
    }

    private DeletionTime deletion() {
        return DeletionTime.build(in.getLong(), Cell.deletionTimeUnsignedIntegerToLong(in.getInt()));
    }

    private void ranges() {
        if (ranges.isEmpty()) {
            ranges = new ArrayList<>();
        }
        SliceBounds bounds = slices == Slices.ALL ? null : new SliceBounds(slices, metadata.comparator);
        for (int left = in.getInt(); left > 0; left--) {
            if (bounds != null && !intersectsNext(bounds)) {
                continue;
            }
            DeletionTime deletion = deletion();
            byte[] start = bytes();
            byte[] end = bytes();
            byte[] written = bytes();
            Slice slice = written.length == 0
                    ? Slice.make(
                            Keys.bound(metadata.comparator, start, false), Keys.bound(metadata.comparator, end, true))
                    : Clusterings.deserializeSlice(written, metadata.comparator);
            ranges.add(new RangeTombstone(slice, deletion));
        }
    }

    /** Whether a slice intersects the next range. If not, moves to the one after it. */
    private boolean intersectsNext(SliceBounds bounds) {
        int start = in.position() + DELETION_BYTES + Integer.BYTES;
        int startLength = in.getInt(start - Integer.BYTES);
        int end = start + startLength + Integer.BYTES;
        int endLength = in.getInt(end - Integer.BYTES);
        if (bounds.intersect(in.array(), start, startLength, end, endLength)) {
            return true;
        }
        int written = end + endLength;
        in.position(written + Integer.BYTES + in.getInt(written));
        return false;
    }

    private byte[] bytes() {
        byte[] bytes = new byte[length()];
        in.get(bytes);
        return bytes;
    }

    private ByteBuffer slice(int length) {
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    private LivenessInfo liveness() {
        long timestamp = in.getLong();
        int ttl = in.getInt();
        return ttl == LivenessInfo.NO_TTL
                ? LivenessInfo.withExpirationTime(timestamp, ttl, LivenessInfo.NO_EXPIRATION_TIME)
                : LivenessInfo.withExpirationTime(timestamp, ttl, Cell.deletionTimeUnsignedIntegerToLong(in.getInt()));
    }

    private Clustering<?> clustering() {
        return Clusterings.deserializeRow(bytes(), metadata.comparator);
    }

    private void cell(Row.Builder builder, LivenessInfo liveness) {
        int flags = in.get();
        int number = Short.toUnsignedInt(in.getShort());
        ColumnMetadata column = columns.column(number);
        if ((flags & OperandFormat.COLUMN_DELETION) != 0) {
            DeletionTime deletion = deletion();
            if (isRead(column, true) && !columns.isDropped(number, deletion.markedForDeleteAt())) {
                builder.addComplexDeletion(column, deletion);
            }
            return;
        }
        boolean hasPath = (flags & OperandFormat.PATH) != 0;
        ByteBuffer path = hasPath ? slice(Short.toUnsignedInt(in.getShort())) : null;
        long timestamp = (flags & OperandFormat.ROW_TIMESTAMP) != 0 ? liveness.timestamp() : in.getLong();
        boolean isRowExpiration = (flags & OperandFormat.ROW_EXPIRATION) != 0;
        int ttl = Cell.NO_TTL;
        if ((flags & OperandFormat.EXPIRING) != 0) {
            ttl = isRowExpiration ? liveness.ttl() : in.getInt();
        }
        long deletionTime = Cell.NO_DELETION_TIME;
        if (isRowExpiration) {
            deletionTime = liveness.localExpirationTime();
        } else if ((flags & (OperandFormat.EXPIRING | OperandFormat.TOMBSTONE)) != 0) {
            deletionTime = Cell.deletionTimeUnsignedIntegerToLong(in.getInt());
        }
        ByteBuffer value = slice((flags & OperandFormat.VALUE) != 0 ? in.getInt() : 0);
        if (isRead(column, hasPath) && !columns.isDropped(number, timestamp)) {
            builder.addCell(new BufferCell(
                    column, timestamp, ttl, deletionTime, value, path == null ? null : CellPath.create(path)));
        }
    }

    private boolean isRead(@Nullable ColumnMetadata column, boolean isComplex) {
        return column != null && column.isComplex() == isComplex && (filter == null || filter.fetches(column));
    }
}
