package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.EngineSettings;
import io.ringmaster.engine.store.RocksDBTable;
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
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumes migrations out of RocksDB that a crash interrupted. The schema of such a table has another memtable already,
 * so nothing else would read its remaining data. The next start presents it to Cassandra as a memtable that is being
 * flushed, and writes it to sstables in the background.
 */
final class InterruptedMigrations {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptedMigrations.class);
    private static final long POLL_MILLIS = 10;

    private final RocksDBMemtableFactory factory;
    private final Engine engine;

    private InterruptedMigrations(RocksDBMemtableFactory factory, Engine engine) {
        this.factory = factory;
        this.engine = engine;
    }

    /** Starts a thread, because Cassandra opens tables only after it has created the memtable factories. */
    static void resumeInBackground(RocksDBMemtableFactory factory, EngineSettings settings) {
        try {
            if (DatabaseDescriptor.isDaemonInitialized() && Engine.exists(settings)) {
                Engine engine = Engine.open(settings);
                Thread thread = new Thread(new InterruptedMigrations(factory, engine)::resume, "RocksDBMigration");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (RuntimeException | FSError e) {
            LOG.error(
                    "RocksDB cannot be opened: a table whose migration out of RocksDB was interrupted lacks data until"
                            + " a restart can open it",
                    e);
        }
    }

    private void resume() {
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
                    "the migration of a table out of RocksDB failed: reads still find its data in RocksDB, and the next"
                            + " restart tries again",
                    e);
        }
    }

    /** Whether the state of a table is known. Adds an export for each of its interrupted migrations. */
    private boolean isSettled(String name, List<Runnable> exports) {
        if (!Keyspace.isInitialized()) {
            return false;
        }
        TableMetadata metadata = Schema.instance.getTableMetadata(RocksDBTable.id(name));
        if (metadata == null) {
            LOG.warn("{} in RocksDB belongs to no table of the schema, and only takes disk space", name);
            return true;
        }
        if (RocksDBTable.isOpen(name) || metadata.params.memtable.factory() instanceof RocksDBMemtableFactory) {
            return true;
        }
        ColumnFamilyStore base = Schema.instance.getColumnFamilyStoreInstance(metadata.id);
        if (base == null) {
            return false;
        }
        for (ColumnFamilyStore cfs : base.concatWithIndexes()) {
            if (RocksDBTable.name(cfs.metadata()).equals(name)) {
                present(cfs, exports);
            }
        }
        return true;
    }

    /** Presents the remaining data to Cassandra as memtables that are being flushed. */
    private void present(ColumnFamilyStore cfs, List<Runnable> exports) {
        long startMillis = System.currentTimeMillis();
        RocksDBTable table = RocksDBTable.openForExport(engine, cfs.metadata());
        for (TableStore store : table.pendingExports()) {
            LOG.info("resuming the migration of {} out of RocksDB, which the end of the node interrupted", store);
            RocksDBMemtable memtable = new RocksDBMemtable(
                    factory, new AtomicReference<>(CommitLogPosition.NONE), cfs.metadata, cfs, table, store, null);
            memtable.switchDecision().request(SwitchOutcome.EXPORT);
            SSTableExport.switchOut(memtable);
            SSTableExport.presentAsFlushing(cfs, memtable);
            exports.add(() -> export(cfs, memtable, startMillis));
        }
        TemporarySSTables.removeLoaded(cfs, engine.temporaryMarks());
    }

    private static void export(ColumnFamilyStore cfs, RocksDBMemtable memtable, long startMillis) {
        List<SSTableReader> written = SSTableExport.write(cfs, memtable);
        cfs.getTracker().replaceFlushed(memtable, written);
        if (SystemKeyspace.getTruncatedAt(cfs.metadata.id) >= startMillis) {
            // the truncation could not remove them, because they were not part of the table yet
            TemporarySSTables.remove(cfs, written);
        }
        OpOrder.Barrier readers = cfs.readOrdering.newBarrier();
        readers.issue();
        readers.await();
        memtable.discard();
        LOG.info("migrated {} out of RocksDB", memtable);
    }
}
