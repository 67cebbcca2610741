package io.ringmaster.engine.memtable;

import io.ringmaster.engine.operate.Operations;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.config.Config.CommitLogSync;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is looked after from time to time, for all tables. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final long PERIOD_MILLIS = 10_000;
    private static final long PACE_PERIOD_MILLIS = 500;
    private static final AtomicBoolean STARTED = new AtomicBoolean();
    private static final Map<Table, Future<?>> HANDED_OVER = new HashMap<>();
    private static final DiskSpace DISK_SPACE = new DiskSpace();

    private Upkeep() {}

    /** At the first table. */
    static void start(Engine engine) {
        if (!STARTED.compareAndSet(false, true)) {
            return;
        }
        Operations.register(engine, Upkeep::tables);
        Schema.instance.registerListener(new LostIndexes());
        schedule("look after tables in RocksDB", PERIOD_MILLIS, Upkeep::lookAfterTables);
        schedule(
                "count the space of tables in RocksDB",
                PERIOD_MILLIS,
                () -> DISK_SPACE.count(RocksDBMemtableFactory.newest()));
        schedule("set the pace of compactions", PACE_PERIOD_MILLIS, engine::adjustPace);
        schedule("flush tables before RocksDB does", PACE_PERIOD_MILLIS, Upkeep::handOver);
        if (DatabaseDescriptor.getCommitLogSync() == CommitLogSync.periodic) {
            schedule("sync RocksDB's log", DatabaseDescriptor.getCommitLogSyncPeriod(), engine::syncLog);
        }
    }

    private static Map<String, RocksDBMemtable> tables() {
        Map<String, RocksDBMemtable> tables = new TreeMap<>();
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.newest()) {
            tables.put(memtable.metadata().keyspace + "." + memtable.metadata().name, memtable);
        }
        return tables;
    }

    private static void lookAfterTables() {
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.newest()) {
            memtable.table().keepAhead();
            memtable.updatePurging();
            memtable.absorb();
            memtable.sweep();
            memtable.scrub();
        }
    }

    /** Each table once at a time. */
    private static void handOver() {
        HANDED_OVER.values().removeIf(Future::isDone);
        for (RocksDBMemtable memtable : RocksDBMemtableFactory.newest()) {
            Future<?> begun = HANDED_OVER.containsKey(memtable.table()) ? null : memtable.handOver();
            if (begun != null) {
                HANDED_OVER.put(memtable.table(), begun);
            }
        }
    }

    /** A failure is told, and the next time comes nevertheless. */
    private static void schedule(String what, long periodMillis, Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("cannot {}; trying again in {} ms", what, periodMillis, e);
                JVMStabilityInspector.inspectThrowable(e);
            }
        };
        Future<?> unused = ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
                guarded, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }
}
