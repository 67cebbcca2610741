package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTableCleaner;
import io.ringmaster.engine.management.EngineOperations;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.Config.CommitLogSync;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The periodic maintenance of all tables. */
final class EngineMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(EngineMaintenance.class);
    private static final long PERIOD_MILLIS = 10_000;
    private static final long THROTTLE_PERIOD_MILLIS = 500;
    private static final long TEMPORARY_SSTABLES_PERIOD_MILLIS = 1000;
    private static final AtomicBoolean STARTED = new AtomicBoolean();
    private static final Map<RocksDBTable, Future<?>> FLUSHES = new HashMap<>();
    private static final DiskSpaceMetrics DISK_SPACE = new DiskSpaceMetrics();

    private EngineMaintenance() {}

    /** Starts the maintenance at the first call. */
    static void start(Engine engine) {
        if (!STARTED.compareAndSet(false, true)) {
            return;
        }
        EngineOperations.register(engine, EngineMaintenance::tables);
        CommitLogReplayFilter.install();
        Schema.instance.registerListener(new NonDurableIndexes());
        Schema.instance.registerListener(new RepairedTombstones());
        schedule("maintain tables in RocksDB", PERIOD_MILLIS, EngineMaintenance::maintainTables);
        schedule("update the disk space metrics of tables in RocksDB", PERIOD_MILLIS, EngineMaintenance::updateMetrics);
        schedule("adjust the throttle of RocksDB's compactions", THROTTLE_PERIOD_MILLIS, engine::adjustThrottle);
        schedule(
                "remove temporary sstables of tables in RocksDB",
                TEMPORARY_SSTABLES_PERIOD_MILLIS,
                TemporarySSTableCleaner::run);
        schedule("flush full write buffers of RocksDB", THROTTLE_PERIOD_MILLIS, EngineMaintenance::flushAlmostFull);
        if (DatabaseDescriptor.getCommitLogSync() == CommitLogSync.periodic) {
            schedule("sync RocksDB's log", DatabaseDescriptor.getCommitLogSyncPeriod(), engine::syncLog);
        }
    }

    private static Map<String, RocksDBMemtable> tables() {
        Map<String, RocksDBMemtable> tables = new TreeMap<>();
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.currentMemtables()) {
            tables.put(memtable.metadata().keyspace + "." + memtable.metadata().name, memtable);
        }
        return tables;
    }

    private static void maintainTables() {
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.currentMemtables()) {
            memtable.table().extendTimestampBound();
            memtable.updatePurgeRules();
            memtable.ingestSSTables();
            memtable.sweepTombstones();
            memtable.purge();
            memtable.releaseTruncated();
        }
    }

    private static void updateMetrics() {
        Map<ColumnFamilyStore, TableStore> stores = new HashMap<>();
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.currentMemtables()) {
            ColumnFamilyStore cfs = memtable.cfs();
            if (cfs != null) {
                stores.put(cfs, memtable.store());
            }
        }
        DISK_SPACE.update(stores);
    }

    /** Starts at most one flush of each table at a time. */
    private static void flushAlmostFull() {
        FLUSHES.values().removeIf(Future::isDone);
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.currentMemtables()) {
            Future<?> started = FLUSHES.containsKey(memtable.table()) ? null : memtable.flushIfAlmostFull();
            if (started != null) {
                FLUSHES.put(memtable.table(), started);
            }
        }
    }

    /** A failure is logged and does not cancel the schedule. */
    private static void schedule(String what, long periodMillis, Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("cannot {}; retrying in {} ms", what, periodMillis, e);
                JVMStabilityInspector.inspectThrowable(e);
            }
        };
        Future<?> unused = ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
                guarded, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }
}
