package io.ringmaster.engine.encoding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** Reads one value, and reconciles its operands as Cassandra does versions of a row. Cells refer to the value's bytes, which must not change. */
public final class Decoder {
    private final TableMetadata metadata;
    private final Columns.View columns;
    private final @Nullable ColumnFilter filter;
    private final ByteBuffer in;
    private final Clustering<?> clustering;

    private DeletionTime partitionDeletion = DeletionTime.LIVE;
    private List<RangeTombstone> ranges = List.of();
    private @Nullable Row row;

    private Decoder(
            byte[] value,
            Clustering<?> clustering,
            TableMetadata metadata,
            Columns columns,
            @Nullable ColumnFilter filter) {
        this.metadata = metadata;
        this.columns = columns.view(metadata);
        this.filter = filter;
        this.in = ByteBuffer.wrap(value);
        this.clustering = clustering;
    }

    /** The record of a partition's header. */
    public static StoredRecord header(
            byte[] value, TableMetadata metadata, Columns columns, @Nullable ColumnFilter filter) {
        Clustering<?> clustering = metadata.comparator.size() == 0 ? Clustering.EMPTY : Clustering.STATIC_CLUSTERING;
        return new Decoder(value, clustering, metadata, columns, filter).read();
    }

    /** The row under a key that begins with the partition's. */
    public static @Nullable Row row(
            byte[] key,
            int partitionLength,
            byte[] value,
            TableMetadata metadata,
            Columns columns,
            @Nullable ColumnFilter filter) {
        Clustering<?> clustering = Keys.clustering(metadata.comparator, key, partitionLength);
        return new Decoder(value, clustering, metadata, columns, filter).read().row();
    }

    /** The record under any key, with all its columns. */
    public static StoredRecord record(byte[] key, byte[] value, TableMetadata metadata, Columns columns) {
        int partitionLength = Keys.partition(Keys.decorated(key, metadata.partitioner)).length;
        return Keys.isHeader(key, partitionLength)
                ? header(value, metadata, columns, null)
                : StoredRecord.of(row(key, partitionLength, value, metadata, columns, null));
    }

    private StoredRecord read() {
        while (in.hasRemaining()) {
            int length = in.getInt();
            int end = in.position() + length;
            Row version = operand(end);
            if (version != null && !version.isEmpty()) {
                row = row == null ? version : Rows.merge(row, version);
            }
        }
        return new StoredRecord(partitionDeletion, ranges, row);
    }

    private @Nullable Row operand(int end) {
        int flags = in.get();
        if ((flags & Operand.PARTITION_DELETION) != 0) {
            DeletionTime deletion = deletion();
            if (deletion.supersedes(partitionDeletion)) {
                partitionDeletion = deletion;
            }
        }
        if ((flags & Operand.RANGES) != 0) {
            ranges();
        }
        LivenessInfo liveness = (flags & Operand.LIVENESS) != 0 ? liveness() : LivenessInfo.EMPTY;
        Row.Deletion deletion = Row.Deletion.LIVE;
        if ((flags & Operand.ROW_DELETION) != 0) {
            deletion = new Row.Deletion(deletion(), (flags & Operand.SHADOWABLE) != 0);
        }
        Clustering<?> written = (flags & Operand.CLUSTERING) != 0 ? clustering() : clustering;
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
        for (int left = in.getInt(); left > 0; left--) {
            DeletionTime deletion = deletion();
            byte[] start = bytes();
            byte[] end = bytes();
            byte[] written = bytes();
            Slice slice = written.length == 0
                    ? Slice.make(
                            Keys.bound(metadata.comparator, start, false), Keys.bound(metadata.comparator, end, true))
                    : Clusterings.deserialize(written, metadata.comparator);
            ranges.add(new RangeTombstone(slice, deletion));
        }
    }

    private byte[] bytes() {
        byte[] bytes = new byte[in.getInt()];
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
        return Clustering.serializer.deserialize(
                ByteBuffer.wrap(bytes()), MessagingService.VERSION_50, metadata.comparator.subtypes());
    }

    private void cell(Row.Builder builder, LivenessInfo liveness) {
        int flags = in.get();
        int number = Short.toUnsignedInt(in.getShort());
        ColumnMetadata column = columns.column(number);
        if ((flags & Operand.COLUMN_DELETION) != 0) {
            DeletionTime deletion = deletion();
            if (isRead(column, true) && !columns.isDropped(number, deletion.markedForDeleteAt())) {
                builder.addComplexDeletion(column, deletion);
            }
            return;
        }
        boolean hasPath = (flags & Operand.PATH) != 0;
        ByteBuffer path = hasPath ? slice(Short.toUnsignedInt(in.getShort())) : null;
        long timestamp = (flags & Operand.ROW_TIMESTAMP) != 0 ? liveness.timestamp() : in.getLong();
        boolean isRowExpiration = (flags & Operand.ROW_EXPIRATION) != 0;
        int ttl = Cell.NO_TTL;
        if ((flags & Operand.EXPIRING) != 0) {
            ttl = isRowExpiration ? liveness.ttl() : in.getInt();
        }
        long deletionTime = Cell.NO_DELETION_TIME;
        if (isRowExpiration) {
            deletionTime = liveness.localExpirationTime();
        } else if ((flags & (Operand.EXPIRING | Operand.TOMBSTONE)) != 0) {
            deletionTime = Cell.deletionTimeUnsignedIntegerToLong(in.getInt());
        }
        ByteBuffer value = slice((flags & Operand.VALUE) != 0 ? in.getInt() : 0);
        if (isRead(column, hasPath) && !columns.isDropped(number, timestamp)) {
            builder.addCell(new BufferCell(
                    column, timestamp, ttl, deletionTime, value, path == null ? null : CellPath.create(path)));
        }
    }

    private boolean isRead(@Nullable ColumnMetadata column, boolean isComplex) {
        return column != null && column.isComplex() == isComplex && (filter == null || filter.fetches(column));
    }
}
