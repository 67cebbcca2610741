package io.ringmaster.engine.memtable;

import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.MergeOperand;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteOptions;

/** Writes updates to a store. Reads the previous row only for indexes, which need it. */
final class MemtableWriter {
    /** Striped by partition. Only writes to tables with indexes lock. */
    private static final Lock[] LOCKS =
            Stream.generate(ReentrantLock::new).limit(1024).toArray(Lock[]::new);

    private final RocksDBTable table;
    private final TableStore store;
    private final Supplier<TableMetadata> schema;
    private final WriteOptions options;
    private final BooleanSupplier isReplaying;

    /**
     * @param schema the table's current schema; that of an update may be older
     * @param isReplaying whether writes may come from the commit log
     */
    MemtableWriter(
            RocksDBTable table,
            TableStore store,
            Supplier<TableMetadata> schema,
            WriteOptions options,
            BooleanSupplier isReplaying) {
        this.table = table;
        this.store = store;
        this.schema = schema;
        this.options = options;
        this.isReplaying = isReplaying;
    }

    @SuppressWarnings("ReferenceEquality") // NO_OP is the only transaction without an index
    void write(PartitionUpdate update, UpdateTransaction indexer) {
        byte[] partition = Keys.partition(update.partitionKey());
        boolean isIndexed = indexer != UpdateTransaction.NO_OP;
        List<MergeOperand> operands = operands(update, partition, isIndexed);
        if (operands.isEmpty()) {
            return;
        }
        table.retention().beforeWrite(minTimestamp(update));
        if (!isIndexed) {
            store.merge(operands, options);
            return;
        }
        Lock lock = LOCKS[Math.floorMod(update.partitionKey().hashCode(), LOCKS.length)];
        lock.lock();
        try {
            indexer.start();
            index(update, partition, indexer);
            store.merge(operands, options);
        } finally {
            indexer.commit();
            lock.unlock();
        }
    }

    /** Cassandra writes its indexes without statistics. */
    private static long minTimestamp(PartitionUpdate update) {
        long known = update.stats().minTimestamp;
        return known == EncodingStats.NO_STATS.minTimestamp
                ? EncodingStats.Collector.collect(update.staticRow(), update.iterator(), update.deletionInfo())
                        .minTimestamp
                : known;
    }

    private List<MergeOperand> operands(PartitionUpdate update, byte[] partition, boolean isIndexed) {
        TableMetadata metadata = update.metadata();
        boolean hasOnlyHeaders = metadata.comparator.size() == 0;
        List<MergeOperand> operands = new ArrayList<>();
        Row headerRow = hasOnlyHeaders ? onlyRow(update) : update.staticRow();
        DeletionInfo deletions = update.deletionInfo();
        List<RangeTombstone> ranges = new ArrayList<>();
        deletions.rangeIterator(false).forEachRemaining(ranges::add);
        PartitionRecord header = new PartitionRecord(deletions.getPartitionDeletion(), ranges, headerRow);
        if (!hasOnlyHeaders) {
            table.retention().beforeWrite(header);
        }
        int rows = hasOnlyHeaders ? 0 : update.rowCount();
        if (!header.isEmpty()) {
            operands.add(operand(Keys.header(partition), header, metadata, rows == 0 && !isIndexed));
        }
        if (rows > 0) {
            boolean isOnly = rows == 1 && header.isEmpty() && !isIndexed;
            for (Row row : update) {
                byte[] key = Keys.row(partition, metadata.comparator, row.clustering());
                operands.add(operand(key, PartitionRecord.of(row), metadata, isOnly));
            }
        }
        return operands;
    }

    /** The only operand of an unindexed write is not copied, because this thread writes it before it encodes again. */
    private MergeOperand operand(byte[] key, PartitionRecord written, TableMetadata metadata, boolean isOnly) {
        if (isOnly) {
            Encoder.BufferSlice slice = Encoder.encodeToThreadBuffer(written, metadata, store.columns());
            return new MergeOperand(
                    key, slice.bytes(), slice.length(), written.maxTimestamp(), () -> written.isWhole(schema.get()));
        }
        return new MergeOperand(key, Encoder.encode(written, metadata, store.columns()), written.maxTimestamp());
    }

    private static @Nullable Row onlyRow(PartitionUpdate update) {
        for (Row row : update) {
            return row;
        }
        return null;
    }

    /**
     * Makes the same calls in the same order as Cassandra's memtables.
     *
     * <p>RocksDB may have flushed the table before a crash, but not its index. A replayed write is therefore an
     * insertion: as an update of the row that is there already it would leave the index as it is. An index entry that
     * becomes stale thereby is removed when it is read, as after a flush of stock storage.
     */
    private void index(PartitionUpdate update, byte[] partition, UpdateTransaction indexer) {
        DeletionInfo deletions = update.deletionInfo();
        if (!deletions.getPartitionDeletion().isLive()) {
            indexer.onPartitionDeletion(deletions.getPartitionDeletion());
        }
        deletions.rangeIterator(false).forEachRemaining(indexer::onRangeTombstone);
        boolean isInsertion = isReplaying.getAsBoolean();
        if (!update.staticRow().isEmpty()) {
            index(isInsertion ? null : storedHeaderRow(update, partition), update.staticRow(), indexer);
        }
        for (Row row : update) {
            index(isInsertion ? null : stored(update, partition, row), row, indexer);
        }
    }

    private static void index(@Nullable Row before, Row written, UpdateTransaction indexer) {
        if (before == null) {
            indexer.onInserted(written);
        } else {
            indexer.onUpdated(before, Rows.merge(before, written));
        }
    }

    private @Nullable Row stored(PartitionUpdate update, byte[] partition, Row row) {
        return row.clustering().size() == 0 ? storedHeaderRow(update, partition) : storedRow(update, partition, row);
    }

    private @Nullable Row storedHeaderRow(PartitionUpdate update, byte[] partition) {
        byte[] value = store.get(Keys.header(partition));
        return value == null
                ? null
                : Decoder.header(value, update.metadata(), store.columns(), null)
                        .row();
    }

    private @Nullable Row storedRow(PartitionUpdate update, byte[] partition, Row row) {
        TableMetadata metadata = update.metadata();
        byte[] key = Keys.row(partition, metadata.comparator, row.clustering());
        byte[] value = store.get(key);
        return value == null ? null : Decoder.row(key, partition.length, value, metadata, store.columns(), null);
    }
}
