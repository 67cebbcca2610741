package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.EngineSettings;
import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.memtable.Memtable.LastCommitLogPosition;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that were on their way out of RocksDB when the node died: the schema names another memtable already, so that nobody would ask for
 * what is still here. At the next start it is shown as what is being flushed, and written to sstables in the background.
 */
final class UnfinishedMoves {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedMoves.class);
    private static final long POLL_MILLIS = 10;

    private final RocksDBMemtableFactory factory;
    private final Engine engine;

    private UnfinishedMoves(RocksDBMemtableFactory factory, Engine engine) {
        this.factory = factory;
        this.engine = engine;
    }

    /** Tables are opened after the factories of their memtables are made; this waits for them. */
    static void finishInBackground(RocksDBMemtableFactory factory, EngineSettings settings) {
        try {
            if (DatabaseDescriptor.isDaemonInitialized() && Engine.exists(settings)) {
                Thread thread = new Thread(new UnfinishedMoves(factory, Engine.open(settings))::finish, "RocksDBMover");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (RuntimeException | FSError e) {
            LOG.error(
                    "RocksDB cannot be opened: tables that were moved out of it just before the last end may lack data",
                    e);
        }
    }

    private void finish() {
        try {
            Set<String> tables = new TreeSet<>(engine.tables());
            List<Runnable> exports = new ArrayList<>();
            while (!tables.isEmpty()) {
                tables.removeIf(table -> isSettled(table, exports));
                Thread.sleep(POLL_MILLIS);
            }
            exports.forEach(Runnable::run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "a table that was on its way out of RocksDB is not in sstables yet; it can be read until the next restart, which tries again",
                    e);
        }
    }

    /** Whether there is nothing more to find out about what lies under a name; adds what has to be done for it. */
    private boolean isSettled(String name, List<Runnable> exports) {
        if (!Keyspace.isInitialized()) {
            return false;
        }
        TableMetadata metadata = Schema.instance.getTableMetadata(Table.id(name));
        if (metadata == null) {
            LOG.warn("{} is in RocksDB and belongs to no table; it takes space", name);
            return true;
        }
        if (Table.isOpen(name) || metadata.params.memtable.factory() instanceof RocksDBMemtableFactory) {
            return true;
        }
        ColumnFamilyStore base = Schema.instance.getColumnFamilyStoreInstance(metadata.id);
        if (base == null) {
            return false;
        }
        for (ColumnFamilyStore cfs : base.concatWithIndexes()) {
            if (Table.name(cfs.metadata()).equals(name)) {
                show(cfs, exports);
            }
        }
        return true;
    }

    private void show(ColumnFamilyStore cfs, List<Runnable> exports) {
        long startMillis = System.currentTimeMillis();
        Table table = Table.openToLeave(engine, cfs.metadata());
        for (TableStore store : table.leaving()) {
            LOG.info("{} was on its way out of RocksDB when the node ended; going on", store);
            RocksDBMemtable memtable = new RocksDBMemtable(
                    factory, new AtomicReference<>(CommitLogPosition.NONE), cfs.metadata, cfs, table, store, null);
            memtable.decide(Fate.EXPORT);
            Tracker tracker = cfs.getTracker();
            synchronized (tracker) {
                tracker.switchMemtable(false, memtable);
                tracker.markFlushing(memtable);
            }
            OpOrder.Barrier barrier = Keyspace.writeOrder.newBarrier();
            barrier.issue();
            memtable.switchOut(barrier, new AtomicReference<>(new LastCommitLogPosition(CommitLogPosition.NONE)));
            exports.add(() -> export(cfs, memtable, startMillis));
        }
        TemporarySSTables.removeLoaded(cfs);
    }

    private static void export(ColumnFamilyStore cfs, RocksDBMemtable memtable, long startMillis) {
        List<SSTableReader> written = SSTableExport.write(cfs, memtable);
        cfs.getTracker().replaceFlushed(memtable, written);
        if (SystemKeyspace.getTruncatedAt(cfs.metadata.id) >= startMillis) {
            // the truncation did not see them
            TemporarySSTables.remove(cfs, written);
        }
        OpOrder.Barrier readers = cfs.readOrdering.newBarrier();
        readers.issue();
        readers.await();
        memtable.discard();
        LOG.info("{} is out of RocksDB", memtable);
    }
}
