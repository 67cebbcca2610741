package io.ringmaster.engine.memtable;

import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.StoredRecord;
import io.ringmaster.engine.store.Merge;
import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteOptions;

/** Writes updates without reading, unless an index wants to know what was there before. */
final class Writer {
    /** Two partitions may share a lock. Only tables with indexes take any. */
    private static final Lock[] LOCKS =
            Stream.generate(ReentrantLock::new).limit(1024).toArray(Lock[]::new);

    private final Table table;
    private final TableStore store;
    private final Supplier<TableMetadata> schema;
    private final WriteOptions options;

    /** @param schema the table's as it is now; an update may be older */
    Writer(Table table, TableStore store, Supplier<TableMetadata> schema, WriteOptions options) {
        this.table = table;
        this.store = store;
        this.schema = schema;
        this.options = options;
    }

    @SuppressWarnings("ReferenceEquality") // there is but one that does nothing
    void write(PartitionUpdate update, UpdateTransaction indexer) {
        byte[] partition = Keys.partition(update.partitionKey());
        boolean isIndexed = indexer != UpdateTransaction.NO_OP;
        List<Merge> merges = merges(update, partition, isIndexed);
        if (merges.isEmpty()) {
            return;
        }
        table.written(update.stats().minTimestamp);
        if (!isIndexed) {
            store.merge(merges, options);
            return;
        }
        Lock lock = LOCKS[Math.floorMod(update.partitionKey().hashCode(), LOCKS.length)];
        lock.lock();
        try {
            indexer.start();
            index(update, partition, indexer);
            store.merge(merges, options);
        } finally {
            indexer.commit();
            lock.unlock();
        }
    }

    private List<Merge> merges(PartitionUpdate update, byte[] partition, boolean isIndexed) {
        TableMetadata metadata = update.metadata();
        boolean hasOnlyHeaders = metadata.comparator.size() == 0;
        List<Merge> merges = new ArrayList<>();
        Row inHeader = hasOnlyHeaders ? onlyRow(update) : update.staticRow();
        DeletionInfo deletions = update.deletionInfo();
        List<RangeTombstone> ranges = new ArrayList<>();
        deletions.rangeIterator(false).forEachRemaining(ranges::add);
        StoredRecord header = new StoredRecord(deletions.getPartitionDeletion(), ranges, inHeader);
        if (!hasOnlyHeaders) {
            table.written(header);
        }
        int rows = hasOnlyHeaders ? 0 : update.rowCount();
        if (!header.isEmpty()) {
            merges.add(merge(Keys.header(partition), header, metadata, rows == 0 && !isIndexed));
        }
        if (rows > 0) {
            boolean isOnly = rows == 1 && header.isEmpty() && !isIndexed;
            for (Row row : update) {
                byte[] key = Keys.row(partition, metadata.comparator, row.clustering());
                merges.add(merge(key, StoredRecord.of(row), metadata, isOnly));
            }
        }
        return merges;
    }

    /** The operand of an only one is not copied: it is written before this thread encodes the next, as indexes would. */
    private Merge merge(byte[] key, StoredRecord stored, TableMetadata metadata, boolean isOnly) {
        if (isOnly) {
            Encoder.Lent lent = Encoder.lend(stored, metadata, store.columns());
            return new Merge(
                    key, lent.bytes(), lent.length(), stored.newestTimestamp(), () -> stored.isWhole(schema.get()));
        }
        return new Merge(key, Encoder.encode(stored, metadata, store.columns()), stored.newestTimestamp());
    }

    private static @Nullable Row onlyRow(PartitionUpdate update) {
        for (Row row : update) {
            return row;
        }
        return null;
    }

    /** In the order and with the calls of Cassandra's own memtables. */
    private void index(PartitionUpdate update, byte[] partition, UpdateTransaction indexer) {
        DeletionInfo deletions = update.deletionInfo();
        if (!deletions.getPartitionDeletion().isLive()) {
            indexer.onPartitionDeletion(deletions.getPartitionDeletion());
        }
        deletions.rangeIterator(false).forEachRemaining(indexer::onRangeTombstone);
        if (!update.staticRow().isEmpty()) {
            index(inHeader(update, partition), update.staticRow(), indexer);
        }
        for (Row row : update) {
            Row before = row.clustering().size() == 0 ? inHeader(update, partition) : stored(update, partition, row);
            index(before, row, indexer);
        }
    }

    private static void index(@Nullable Row before, Row written, UpdateTransaction indexer) {
        if (before == null) {
            indexer.onInserted(written);
        } else {
            indexer.onUpdated(before, Rows.merge(before, written));
        }
    }

    private @Nullable Row inHeader(PartitionUpdate update, byte[] partition) {
        byte[] value = store.get(Keys.header(partition));
        return value == null
                ? null
                : Decoder.header(value, update.metadata(), store.columns(), null)
                        .row();
    }

    private @Nullable Row stored(PartitionUpdate update, byte[] partition, Row row) {
        TableMetadata metadata = update.metadata();
        byte[] key = Keys.row(partition, metadata.comparator, row.clustering());
        byte[] value = store.get(key);
        return value == null ? null : Decoder.row(key, partition.length, value, metadata, store.columns(), null);
    }
}
