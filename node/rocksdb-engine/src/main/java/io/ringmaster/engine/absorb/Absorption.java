package io.ringmaster.engine.absorb;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.StoredRecord;
import io.ringmaster.engine.store.BulkFile;
import io.ringmaster.engine.store.Table;
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

/** One sstable's way into RocksDB. {@code nodetool compactionstats} shows its progress, and what stops compactions stops it. */
final class Absorption extends CompactionInfo.Holder {
    private final SSTableReader sstable;
    private final TableMetadata metadata;
    private final Table table;
    private final TableStore store;
    private final RateLimiter limiter;
    private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
    private volatile long bytesRead;

    Absorption(SSTableReader sstable, Table table, TableStore store, RateLimiter limiter) {
        this.sstable = sstable;
        this.metadata = sstable.metadata();
        this.table = table;
        this.store = store;
        this.limiter = limiter;
    }

    /** Adds all it holds to the store. Until the sstable is removed, reads find everything twice, which is the same as once. */
    void run() {
        try (BulkFile headers = store.bulkFile("headers");
                BulkFile rows = store.bulkFile("rows");
                ISSTableScanner scanner = sstable.getScanner()) {
            while (scanner.hasNext()) {
                try (UnfilteredRowIterator partition = scanner.next()) {
                    add(partition, headers, rows);
                }
                advance(scanner.getCurrentPosition());
            }
            store.ingest(headers);
            store.ingest(rows);
        }
    }

    private void advance(long position) {
        if (isStopRequested()) {
            throw new CompactionInterruptedException(getCompactionInfo());
        }
        int bytes = (int) Math.min(Integer.MAX_VALUE, position - bytesRead);
        if (bytes > 0) {
            limiter.acquire(bytes);
        }
        bytesRead = position;
    }

    private void add(UnfilteredRowIterator partition, BulkFile headers, BulkFile rows) {
        byte[] prefix = Keys.partition(partition.partitionKey());
        MutableDeletionInfo.Builder deletions =
                MutableDeletionInfo.builder(partition.partitionLevelDeletion(), metadata.comparator, false);
        Row inHeader = partition.staticRow();
        while (partition.hasNext()) {
            Unfiltered unfiltered = partition.next();
            if (unfiltered instanceof RangeTombstoneMarker marker) {
                deletions.add(marker);
            } else if (metadata.comparator.size() == 0) {
                inHeader = (Row) unfiltered;
            } else {
                Row row = (Row) unfiltered;
                add(rows, Keys.row(prefix, metadata.comparator, row.clustering()), StoredRecord.of(row));
            }
        }
        DeletionInfo all = deletions.build();
        List<RangeTombstone> ranges = new ArrayList<>();
        all.rangeIterator(false).forEachRemaining(ranges::add);
        StoredRecord header = new StoredRecord(all.getPartitionDeletion(), ranges, inHeader);
        if (metadata.comparator.size() > 0) {
            table.written(header);
        }
        if (!header.isEmpty()) {
            add(headers, Keys.header(prefix), header);
        }
    }

    private void add(BulkFile file, byte[] key, StoredRecord stored) {
        file.add(key, Encoder.encode(stored, metadata, store.columns()), stored.newestTimestamp());
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
