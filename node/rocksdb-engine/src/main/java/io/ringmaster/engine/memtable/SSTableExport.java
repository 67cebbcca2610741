package io.ringmaster.engine.memtable;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Flushing;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Throwables;

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
