package io.ringmaster.engine;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.context.CounterContext;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.CounterId;
import org.jspecify.annotations.Nullable;

/**
 * Random updates of a table, with few timestamps, so that ties are frequent. Half of the tables also get full rows that
 * are newer than all rows before.
 */
public final class RandomUpdate {
    private static final List<CounterId> NODES =
            List.of(CounterId.fromInt(1), CounterId.fromInt(2), CounterId.fromInt(3));

    /** In the year 2096, so that nothing expires during a test; in seconds since 1970. */
    public static final long LATER = 4_000_000_000L;

    private final RandomTable table;
    private final Random random;
    private final long localTime;
    private final boolean hasClock;
    private long clock;

    public RandomUpdate(RandomTable table, Random random) {
        this(table, random, LATER);
    }

    /** @param localTime about when data expires and deletions were written, in seconds since 1970 */
    public RandomUpdate(RandomTable table, Random random, long localTime) {
        this.table = table;
        this.random = random;
        this.localTime = localTime;
        this.hasClock = random.nextBoolean();
    }

    /** Counters are not deleted: the result depends on when they are merged, in Cassandra's memtable too. */
    private boolean deletes(int oneIn) {
        return !table.metadata().isCounter() && random.nextInt(oneIn) == 0;
    }

    public PartitionUpdate next() {
        PartitionUpdate.Builder update = new PartitionUpdate.Builder(
                table.metadata(), table.key(), table.metadata().regularAndStaticColumns(), 4);
        if (deletes(8)) {
            update.addPartitionDeletion(deletion());
        }
        if (table.metadata().comparator.size() > 0) {
            for (int i = deletes(3) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
                update.add(new RangeTombstone(table.slice(), rangeDeletion()));
            }
            if (random.nextInt(3) == 0 && table.metadata().hasStaticColumns()) {
                update.add(row(Clustering.STATIC_CLUSTERING));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            update.add(row(table.clustering()));
        }
        return update.build();
    }

    private DeletionTime deletion() {
        return DeletionTime.build(timestamp(), localTime + random.nextInt(3));
    }

    /**
     * One local deletion time for each timestamp. Of two range deletions with one timestamp and different local times
     * Cassandra shows one or the other, depending on the ranges added before.
     */
    private DeletionTime rangeDeletion() {
        long timestamp = timestamp();
        return DeletionTime.build(timestamp, localTime + timestamp);
    }

    private long timestamp() {
        return random.nextInt(20) == 0 ? -1 : random.nextInt(6);
    }

    private LivenessInfo liveness() {
        return random.nextInt(3) == 0
                ? LivenessInfo.withExpirationTime(timestamp(), 10 + random.nextInt(2), localTime + random.nextInt(3))
                : LivenessInfo.create(timestamp(), 0);
    }

    public Row row(Clustering<?> clustering) {
        boolean isStatic = clustering == Clustering.STATIC_CLUSTERING;
        if (hasClock && !isStatic && !table.metadata().isCounter() && random.nextInt(3) > 0) {
            return whole(clustering);
        }
        Row.Builder row = BTreeRow.unsortedBuilder();
        row.newRow(clustering);
        if (!isStatic && random.nextBoolean()) {
            row.addPrimaryKeyLivenessInfo(liveness());
        }
        if (!isStatic && deletes(6)) {
            row.addRowDeletion(Row.Deletion.regular(deletion()));
        }
        for (ColumnMetadata column :
                isStatic ? table.metadata().staticColumns() : table.metadata().regularColumns()) {
            if (column.isComplex()) {
                complex(row, column);
            } else if (random.nextInt(3) > 0) {
                row.addCell(cell(column, null));
            }
        }
        return row.build();
    }

    /** A row as INSERT writes it. */
    private Row whole(Clustering<?> clustering) {
        Row.Builder row = BTreeRow.unsortedBuilder();
        row.newRow(clustering);
        clock += random.nextInt(4) > 0 ? 1 : 0;
        row.addPrimaryKeyLivenessInfo(
                random.nextInt(4) == 0
                        ? LivenessInfo.withExpirationTime(clock, 10, localTime)
                        : LivenessInfo.create(clock, 0));
        for (ColumnMetadata column : table.metadata().regularColumns()) {
            if (column.isComplex()) {
                complex(row, column);
            } else {
                row.addCell(cell(column, null, clock));
            }
        }
        return row.build();
    }

    private void complex(Row.Builder row, ColumnMetadata column) {
        if (random.nextInt(4) == 0) {
            row.addComplexDeletion(column, deletion());
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            row.addCell(cell(column, path((CollectionType<?>) column.type)));
        }
    }

    private CellPath path(CollectionType<?> type) {
        ByteBuffer path =
                switch (type.nameComparator().asCQL3Type().toString()) {
                    case "int" -> ByteBufferUtil.bytes(random.nextInt(5) - 2);
                    case "decimal" ->
                        type.nameComparator().fromString(RandomTable.pick(List.of("1.0", "1.00", "2"), random));
                    default ->
                        ByteBuffer.wrap(org.apache.cassandra.utils.TimeUUID.toBytes(
                                ((long) random.nextInt(4) << 32) | 0x1000, 0x8080808080808080L));
                };
        return CellPath.create(path);
    }

    private Cell<?> cell(ColumnMetadata column, @Nullable CellPath path) {
        return cell(column, path, timestamp());
    }

    private Cell<?> cell(ColumnMetadata column, @Nullable CellPath path, long timestamp) {
        if (deletes(5)) {
            return new BufferCell(
                    column,
                    timestamp,
                    Cell.NO_TTL,
                    localTime + random.nextInt(3),
                    ByteBufferUtil.EMPTY_BYTE_BUFFER,
                    path);
        }
        if (column.isCounterColumn()) {
            ByteBuffer context = CounterContext.instance()
                    .createGlobal(RandomTable.pick(NODES, random), random.nextInt(4), random.nextInt(4));
            return new BufferCell(column, timestamp, Cell.NO_TTL, Cell.NO_DELETION_TIME, context, path);
        }
        ByteBuffer value =
                random.nextInt(3) == 0 ? ByteBufferUtil.EMPTY_BYTE_BUFFER : ByteBufferUtil.bytes(random.nextInt(3));
        return random.nextInt(5) == 0
                ? new BufferCell(column, timestamp, 10 + random.nextInt(2), localTime + random.nextInt(3), value, path)
                : new BufferCell(column, timestamp, Cell.NO_TTL, Cell.NO_DELETION_TIME, value, path);
    }
}
