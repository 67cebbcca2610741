package io.ringmaster.engine.encoding;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;

/** Encodes records as merge operands, in the form that {@link OperandFormat} describes. */
public final class Encoder {
    private static final byte[] NOTHING = {};
    private static final Comparator<Cell<?>> BY_PATH = (a, b) -> Arrays.compareUnsigned(path(a), path(b));
    private static final ThreadLocal<Encoder> PER_THREAD = ThreadLocal.withInitial(Encoder::new);

    private final ByteWriter out = new ByteWriter();

    private Encoder() {}

    public static byte[] encode(PartitionRecord stored, TableMetadata metadata, ColumnNumbers columns) {
        return written(stored, metadata, columns).toBytes();
    }

    /** Encodes without a copy: the result is valid until this thread encodes the next record. */
    public static BufferSlice encodeToThreadBuffer(
            PartitionRecord stored, TableMetadata metadata, ColumnNumbers columns) {
        ByteWriter out = written(stored, metadata, columns);
        return new BufferSlice(out.array(), out.length());
    }

    /** An operand in the first {@code length} bytes of an array. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record BufferSlice(byte[] bytes, int length) {}

    private static ByteWriter written(PartitionRecord stored, TableMetadata metadata, ColumnNumbers columns) {
        Encoder encoder = PER_THREAD.get();
        encoder.out.clear();
        encoder.operand(stored, metadata, columns);
        return encoder.out;
    }

    private void operand(PartitionRecord stored, TableMetadata metadata, ColumnNumbers columns) {
        Row row = stored.row();
        out.u32(0);
        int flagsAt = out.length();
        out.u8(0);
        int flags = 0;
        if (!stored.partitionDeletion().isLive()) {
            flags |= OperandFormat.PARTITION_DELETION;
            deletion(stored.partitionDeletion());
        }
        if (!stored.ranges().isEmpty()) {
            flags |= OperandFormat.RANGES;
            ranges(stored.ranges(), metadata);
        }
        if (row != null) {
            flags |= row(row, metadata, columns);
        }
        out.replaceU8(flagsAt, flags);
        out.replaceU32(0, out.length() - Integer.BYTES);
    }

    private void deletion(DeletionTime deletion) {
        out.i64(deletion.markedForDeleteAt());
        out.u32(Cell.deletionTimeLongToUnsignedInteger(deletion.localDeletionTime()));
    }

    private void ranges(List<RangeTombstone> ranges, TableMetadata metadata) {
        boolean isPreserved = Clusterings.keysPreserve(metadata.comparator);
        out.u32(ranges.size());
        for (RangeTombstone range : ranges) {
            deletion(range.deletionTime());
            bytes(Keys.bound(metadata.comparator, range.deletedSlice().start()));
            bytes(Keys.bound(metadata.comparator, range.deletedSlice().end()));
            bytes(isPreserved ? NOTHING : Clusterings.serialize(range.deletedSlice(), metadata.comparator));
        }
    }

    private void bytes(byte[] bytes) {
        out.u32(bytes.length);
        out.bytes(bytes);
    }

    /** Returns the flags of the row. */
    private int row(Row row, TableMetadata metadata, ColumnNumbers columns) {
        int flags = 0;
        LivenessInfo liveness = row.primaryKeyLivenessInfo();
        if (!liveness.isEmpty()) {
            flags |= OperandFormat.LIVENESS;
            out.i64(liveness.timestamp());
            out.u32(liveness.ttl());
            if (liveness.ttl() != Cell.NO_TTL) {
                out.u32(Cell.deletionTimeLongToUnsignedInteger(liveness.localExpirationTime()));
            }
        }
        if (!row.deletion().isLive()) {
            flags |= OperandFormat.ROW_DELETION | (row.deletion().isShadowable() ? OperandFormat.SHADOWABLE : 0);
            deletion(row.deletion().time());
        }
        if (!row.isStatic() && !Clusterings.keysPreserve(metadata.comparator)) {
            flags |= OperandFormat.CLUSTERING;
            bytes(Clustering.serializer
                    .serialize(row.clustering(), MessagingService.VERSION_50, metadata.comparator.subtypes())
                    .array());
        }
        cells(row, columns, columns.view(metadata), liveness);
        return flags;
    }

    private void cells(Row row, ColumnNumbers columns, ColumnNumbers.View view, LivenessInfo liveness) {
        int size = row.columnCount();
        ColumnData[] data = row.columnData().toArray(new ColumnData[size]);
        int[] numbers = new int[size];
        boolean sorted = true;
        for (int i = 0; i < size; i++) {
            numbers[i] = columns.number(view, data[i].column());
            sorted &= i == 0 || numbers[i - 1] < numbers[i];
        }
        if (sorted) {
            for (int i = 0; i < size; i++) {
                column(data[i], numbers[i], liveness);
            }
        } else {
            Arrays.sort(data, Comparator.comparingInt(d -> columns.number(view, d.column())));
            for (ColumnData d : data) {
                column(d, columns.number(view, d.column()), liveness);
            }
        }
    }

    private void column(ColumnData data, int number, LivenessInfo liveness) {
        if (data instanceof Cell<?> cell) {
            cell(cell, number, liveness);
            return;
        }
        ComplexColumnData complex = (ComplexColumnData) data;
        if (!complex.complexDeletion().isLive()) {
            out.u8(OperandFormat.COLUMN_DELETION);
            out.u16(number);
            deletion(complex.complexDeletion());
        }
        Cell<?>[] cells = new Cell<?>[complex.cellsCount()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = complex.getCellByIndex(i);
        }
        Arrays.sort(cells, BY_PATH);
        for (Cell<?> cell : cells) {
            cell(cell, number, liveness);
        }
    }

    private static byte[] path(Cell<?> cell) {
        java.nio.ByteBuffer path = cell.path().get(0);
        byte[] bytes = new byte[path.remaining()];
        path.get(path.position(), bytes);
        return bytes;
    }

    private void cell(Cell<?> cell, int number, LivenessInfo liveness) {
        boolean isRowTimestamp = !liveness.isEmpty() && cell.timestamp() == liveness.timestamp();
        boolean isRowExpiration = cell.isExpiring()
                && cell.ttl() == liveness.ttl()
                && cell.localDeletionTime() == liveness.localExpirationTime();
        int flags = (cell.path() == null ? 0 : OperandFormat.PATH)
                | (cell.isExpiring() ? OperandFormat.EXPIRING : 0)
                | (cell.isTombstone() ? OperandFormat.TOMBSTONE : 0)
                | (cell.isCounterCell() ? OperandFormat.COUNTER : 0)
                | (cell.valueSize() == 0 ? 0 : OperandFormat.VALUE)
                | (isRowTimestamp ? OperandFormat.ROW_TIMESTAMP : 0)
                | (isRowExpiration ? OperandFormat.ROW_EXPIRATION : 0);
        out.u8(flags);
        out.u16(number);
        if (cell.path() != null) {
            java.nio.ByteBuffer path = cell.path().get(0);
            out.u16(path.remaining());
            out.bytes(path);
        }
        if (!isRowTimestamp) {
            out.i64(cell.timestamp());
        }
        if (cell.isExpiring() && !isRowExpiration) {
            out.u32(cell.ttl());
        }
        if (cell.isTombstone() || (cell.isExpiring() && !isRowExpiration)) {
            out.u32(Cell.deletionTimeLongToUnsignedInteger(cell.localDeletionTime()));
        }
        if (cell.valueSize() != 0) {
            out.u32(cell.valueSize());
            if (cell.accessor() == org.apache.cassandra.db.marshal.ByteArrayAccessor.instance) {
                out.bytes((byte[]) cell.value());
            } else {
                out.bytes(cell.buffer());
            }
        }
    }
}
