package io.ringmaster.engine.absorb;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.view.View;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.ViewMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the sstables of tables that lie in RocksDB over into it, one after another. */
public final class Absorber {
    private static final Logger LOG = LoggerFactory.getLogger(Absorber.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBAbsorber");
    private static final Set<Table> QUEUED = ConcurrentHashMap.newKeySet();

    private Absorber() {}

    /** Returns at once; does nothing if the table has no sstable that may be taken over now. */
    public static void offer(Table table, ColumnFamilyStore cfs) {
        if (!cfs.getLiveSSTables().isEmpty() && QUEUED.add(table)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    absorbAll(table, cfs);
                } catch (CompactionInterruptedException e) {
                    LOG.info("stopped: {}", e.getMessage());
                } finally {
                    QUEUED.remove(table);
                }
            });
        }
    }

    private static void absorbAll(Table table, ColumnFamilyStore cfs) {
        for (SSTableReader sstable : cfs.getSSTables(SSTableSet.NONCOMPACTING)) {
            if (isBeingBuiltFrom(cfs)) {
                return;
            }
            if (!sstable.isPendingRepair() && table.mayAbsorb(sstable.maxDataAge)) {
                absorb(table, cfs, sstable);
            }
        }
    }

    /** Whether an index or a view is built from the table's sstables now, or will be once its builder starts. */
    private static boolean isBeingBuiltFrom(ColumnFamilyStore cfs) {
        Set<String> built = Set.copyOf(cfs.getBuiltIndexes());
        if (cfs.metadata().indexes.stream().anyMatch(index -> !built.contains(index.name))) {
            return true;
        }
        for (ViewMetadata view : View.findAll(cfs.getKeyspaceName(), cfs.getTableName())) {
            if (!SystemKeyspace.isViewBuilt(cfs.getKeyspaceName(), view.name())) {
                return true;
            }
        }
        return false;
    }

    private static void absorb(Table table, ColumnFamilyStore cfs, SSTableReader sstable) {
        TableStore store = table.current();
        try (TableStore.Lease lease = store.lease();
                LifecycleTransaction transaction = cfs.getTracker().tryModify(sstable, OperationType.COMPACTION)) {
            if (lease == null || transaction == null || !table.mayAbsorb(sstable.maxDataAge)) {
                return;
            }
            long start = System.nanoTime();
            Absorption absorption = new Absorption(sstable, table, store, CompactionManager.instance.getRateLimiter());
            CompactionManager.instance.active.beginCompaction(absorption);
            try {
                table.written(sstable.getMinTimestamp());
                absorption.run();
                if (table.current() != store) {
                    LOG.info("{} stays: its table was flushed to sstables or emptied meanwhile", sstable);
                    return;
                }
                transaction.obsoleteOriginals();
                transaction.finish();
            } finally {
                CompactionManager.instance.active.finishCompaction(absorption);
            }
            LOG.info(
                    "took over {}, {} bytes, in {} ms",
                    sstable,
                    sstable.onDiskLength(),
                    (System.nanoTime() - start) / 1_000_000);
        }
    }
}
