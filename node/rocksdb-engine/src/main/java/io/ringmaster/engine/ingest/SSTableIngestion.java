package io.ringmaster.engine.ingest;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.IngestFile;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.TimeUUID;

/**
 * The ingestion of one sstable. It is registered as a compaction: {@code nodetool compactionstats} shows its progress
 * and {@code nodetool stop} stops it.
 */
final class SSTableIngestion extends CompactionInfo.Holder {
    private final SSTableReader sstable;
    private final TableMetadata metadata;
    private final RocksDBTable table;
    private final TableStore store;
    private final RateLimiter limiter;
    private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
    private volatile long bytesRead;

    SSTableIngestion(SSTableReader sstable, RocksDBTable table, TableStore store, RateLimiter limiter) {
        this.sstable = sstable;
        this.metadata = sstable.metadata();
        this.table = table;
        this.store = store;
        this.limiter = limiter;
    }

    /**
     * Adds the sstable's content to the store. Until the sstable is removed, a read merges both copies, which are
     * equal.
     *
     * @param remove removes the sstable
     * @throws CompactionInterruptedException an operator stopped it, or the memtable of the store was switched out
     */
    void run(Runnable remove) {
        try (IngestFile headers = store.ingestFile("headers");
                IngestFile rows = store.ingestFile("rows");
                ISSTableScanner scanner = sstable.getScanner()) {
            while (scanner.hasNext()) {
                try (UnfilteredRowIterator partition = scanner.next()) {
                    add(partition, headers, rows);
                }
                advance(scanner.getCurrentPosition());
            }
            table.excludeMoves(() -> {
                store.ingest(List.of(headers, rows));
                remove.run();
            });
        }
    }

    private void advance(long position) {
        if (isStopRequested() || table.current() != store) {
            throw new CompactionInterruptedException(getCompactionInfo());
        }
        int bytes = (int) Math.min(Integer.MAX_VALUE, position - bytesRead);
        if (bytes > 0) {
            limiter.acquire(bytes);
        }
        bytesRead = position;
    }

    private void add(UnfilteredRowIterator partition, IngestFile headers, IngestFile rows) {
        byte[] prefix = Keys.partition(partition.partitionKey());
        MutableDeletionInfo.Builder deletions =
                MutableDeletionInfo.builder(partition.partitionLevelDeletion(), metadata.comparator, false);
        Row headerRow = partition.staticRow();
        while (partition.hasNext()) {
            Unfiltered unfiltered = partition.next();
            if (unfiltered instanceof RangeTombstoneMarker marker) {
                deletions.add(marker);
            } else if (metadata.comparator.size() == 0) {
                headerRow = (Row) unfiltered;
            } else {
                Row row = (Row) unfiltered;
                add(rows, Keys.row(prefix, metadata.comparator, row.clustering()), PartitionRecord.of(row));
            }
        }
        DeletionInfo all = deletions.build();
        List<RangeTombstone> ranges = new ArrayList<>();
        all.rangeIterator(false).forEachRemaining(ranges::add);
        PartitionRecord header = new PartitionRecord(all.getPartitionDeletion(), ranges, headerRow);
        if (metadata.comparator.size() > 0) {
            table.retention().beforeWrite(header);
        }
        if (!header.isEmpty()) {
            add(headers, Keys.header(prefix), header);
        }
    }

    private void add(IngestFile file, byte[] key, PartitionRecord added) {
        file.add(key, Encoder.encode(added, metadata, store.columns()), added.maxTimestamp());
    }

    @Override
    public CompactionInfo getCompactionInfo() {
        return new CompactionInfo(
                metadata,
                OperationType.COMPACTION,
                bytesRead,
                sstable.uncompressedLength(),
                sstable.onDiskLength(),
                id,
                Set.of(sstable));
    }

    @Override
    public boolean isGlobal() {
        return false;
    }
}
