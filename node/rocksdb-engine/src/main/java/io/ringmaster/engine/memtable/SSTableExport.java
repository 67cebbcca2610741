package io.ringmaster.engine.memtable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.memtable.Flushing;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.Memtable.LastCommitLogPosition;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Throwables;
import org.apache.cassandra.utils.concurrent.OpOrder;

/** Writes a memtable to sstables outside of Cassandra's flushes. */
final class SSTableExport {
    private SSTableExport() {}

    /** Returns sstables that are complete on disk, but not part of the table yet. */
    static List<SSTableReader> write(ColumnFamilyStore cfs, Memtable memtable) {
        // with OperationType.FLUSH, indexes would take their content from this memtable, which they do not know
        try (LifecycleTransaction transaction = LifecycleTransaction.offline(OperationType.WRITE)) {
            List<SSTableMultiWriter> writers = writeParts(cfs, memtable, transaction);
            transaction.prepareToCommit();
            Throwable failure = null;
            for (SSTableMultiWriter writer : writers) {
                failure = writer.commit(failure);
            }
            Throwables.maybeFail(transaction.commit(failure));
            List<SSTableReader> sstables = new ArrayList<>();
            writers.forEach(writer -> sstables.addAll(writer.finished()));
            return sstables;
        }
    }

    /** Switches out a memtable without writes of its own. */
    static void switchOut(RocksDBMemtable memtable) {
        OpOrder.Barrier barrier = Keyspace.writeOrder.newBarrier();
        barrier.issue();
        memtable.switchOut(barrier, new AtomicReference<>(new LastCommitLogPosition(CommitLogPosition.NONE)));
    }

    /** Presents a switched out memtable to reads as one that is being flushed, so that sstables can replace it. */
    static void presentAsFlushing(ColumnFamilyStore cfs, RocksDBMemtable memtable) {
        Tracker tracker = cfs.getTracker();
        synchronized (tracker) {
            tracker.switchMemtable(false, memtable);
            tracker.markFlushing(memtable);
        }
    }

    private static List<SSTableMultiWriter> writeParts(
            ColumnFamilyStore cfs, Memtable memtable, LifecycleTransaction transaction) {
        List<Flushing.FlushRunnable> parts = Flushing.flushRunnables(cfs, memtable, transaction);
        try {
            List<SSTableMultiWriter> writers = new ArrayList<>();
            for (Flushing.FlushRunnable part : parts) {
                SSTableMultiWriter writer = part.call();
                if (writer.getBytesWritten() > 0) {
                    writer.setOpenResult(true).prepareToCommit();
                    writers.add(writer);
                } else {
                    Throwables.maybeFail(writer.abort(null));
                }
            }
            return writers;
        } catch (RuntimeException | Error e) {
            Throwable failure = transaction.abort(Flushing.abortRunnables(parts, e));
            com.google.common.base.Throwables.throwIfUnchecked(failure);
            throw new IllegalStateException(failure);
        }
    }
}
