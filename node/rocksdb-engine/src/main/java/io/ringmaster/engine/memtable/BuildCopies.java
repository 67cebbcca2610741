package io.ringmaster.engine.memtable;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.ringmaster.engine.export.TemporarySSTableCleaner;
import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.RocksDBTable;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.UncheckedInterruptedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the data in RocksDB for the builders of indexes and views, which read only sstables. They are temporary
 * sstables, removed when the builds are done.
 *
 * <p>Cassandra's builders request a flush. It would have to write all data, and meanwhile no other flush of the node
 * could end, because one thread ends the flushes of all tables.
 */
final class BuildCopies {
    private static final Logger LOG = LoggerFactory.getLogger(BuildCopies.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBBuildCopies");
    private static final long POLL_MILLIS = 100;

    private BuildCopies() {}

    /**
     * Returns when the copy is among the table's sstables. Cassandra calls it with the tracker's monitor, which would
     * delay the table's flushes: the wait releases it.
     *
     * @throws IllegalStateException the copy cannot be written
     */
    static void write(ColumnFamilyStore cfs, RocksDBMemtable memtable) {
        Tracker tracker = cfs.getTracker();
        Future<?> written = ONE_AT_A_TIME.submit(() -> copy(cfs, memtable));
        try {
            synchronized (tracker) {
                while (!written.isDone()) {
                    tracker.wait(POLL_MILLIS);
                }
            }
            written.get();
        } catch (InterruptedException e) {
            throw new UncheckedInterruptedException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot copy " + memtable + " to sstables for a build", e.getCause());
        }
    }

    private static void copy(ColumnFamilyStore cfs, RocksDBMemtable memtable) {
        RocksDBTable table = memtable.table();
        TemporarySSTableCleaner.hold(cfs);
        try {
            // a write that started before the index or view existed does not update it: the copy must have it
            Keyspace.writeOrder.awaitNewBarrier();
            table.retention().whileNothingIsPurged(() -> {
                RocksDBMemtable copied = memtable.forCopy(cfs);
                List<SSTableReader> sstables = SSTableExport.write(cfs, copied);
                if (!sstables.isEmpty()) {
                    SSTableExport.presentAsFlushing(cfs, copied);
                    cfs.getTracker().replaceFlushed(copied, sstables);
                }
                LOG.info("copied {} to {} for a build of an index or a view", memtable, sstables);
                if (table.current() != memtable.store()) {
                    // a truncation could not remove them, because they were not part of the table yet
                    TemporarySSTables.remove(cfs, sstables);
                }
            });
            memtable.updatePurgeRules();
        } catch (IllegalStateException e) {
            if (table.current() == memtable.store()) {
                throw e;
            }
            LOG.info("{} needs no copy for a build: it was truncated, dropped or exported meanwhile", memtable);
        } finally {
            TemporarySSTableCleaner.release(cfs);
        }
    }
}
