package io.ringmaster.engine.ingest;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.ringmaster.engine.export.PendingBuilds;
import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ingests the sstables of tables in RocksDB, one sstable at a time on the whole node. */
public final class SSTableIngester {
    private static final Logger LOG = LoggerFactory.getLogger(SSTableIngester.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBIngester");
    private static final Set<RocksDBTable> QUEUED = ConcurrentHashMap.newKeySet();

    private SSTableIngester() {}

    /**
     * Queues the table and returns. Does nothing if the table has no sstables or is queued already.
     *
     * @param store of the table's memtable: no other one may get data that reads have to find
     */
    public static void submit(RocksDBTable table, TableStore store, ColumnFamilyStore cfs) {
        if (!cfs.getLiveSSTables().isEmpty() && QUEUED.add(table)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    ingestAll(table, store, cfs);
                } catch (CompactionInterruptedException e) {
                    LOG.info("ingestion of sstables into RocksDB stopped: {}", e.getMessage());
                } finally {
                    QUEUED.remove(table);
                }
            });
        }
    }

    private static void ingestAll(RocksDBTable table, TableStore store, ColumnFamilyStore cfs) {
        for (SSTableReader sstable : cfs.getSSTables(SSTableSet.NONCOMPACTING)) {
            if (PendingBuilds.exist(cfs) || table.current() != store) {
                return;
            }
            if (!sstable.isPendingRepair()
                    && !TemporarySSTables.isTemporary(sstable, table.temporaryMarks())
                    && table.mayIngest(sstable.maxDataAge)) {
                ingest(table, store, cfs, sstable);
            }
        }
    }

    private static void ingest(RocksDBTable table, TableStore store, ColumnFamilyStore cfs, SSTableReader sstable) {
        try (TableStore.Lease lease = store.lease();
                LifecycleTransaction transaction = cfs.getTracker().tryModify(sstable, OperationType.COMPACTION)) {
            if (lease == null || transaction == null || !table.mayIngest(sstable.maxDataAge)) {
                return;
            }
            SSTableIngestion ingestion =
                    new SSTableIngestion(sstable, table, store, CompactionManager.instance.getRateLimiter());
            CompactionManager.instance.active.beginCompaction(ingestion);
            try {
                table.retention().beforeWrite(sstable.getMinTimestamp());
                ingestion.run(() -> replace(sstable, table, store, transaction));
            } finally {
                CompactionManager.instance.active.finishCompaction(ingestion);
            }
        }
    }

    /** Removes an sstable whose content is in RocksDB now. */
    private static void replace(
            SSTableReader sstable, RocksDBTable table, TableStore store, LifecycleTransaction transaction) {
        if (table.current() != store) {
            LOG.info("{} stays an sstable: its table was exported or truncated during the ingestion", sstable);
            return;
        }
        if (StorageService.instance.getLocalHostUUID().equals(sstable.getSSTableMetadata().originatingHostId)) {
            table.persisted().add(sstable.getSSTableMetadata().commitLogIntervals, Long.MIN_VALUE);
        }
        transaction.obsoleteOriginals();
        transaction.finish();
        LOG.info("ingested {} ({} bytes) into RocksDB", sstable, sstable.onDiskLength());
    }
}
