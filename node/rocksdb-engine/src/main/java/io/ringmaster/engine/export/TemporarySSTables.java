package io.ringmaster.engine.export;

import java.io.IOException;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.StatsComponent;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sstables that Cassandra writes from a live memtable for a stream or a validation. Cassandra 5.0.9 releases them
 * without deleting them ({@code ColumnFamilyStore.writeMemtableRanges}, {@code DO_NOT_TRACK}). The next start, or
 * {@code nodetool refresh}, would load them as data and resurrect rows that were deleted since. A commit log interval
 * that no commit log has marks them. {@link TemporarySSTableCleaner} deletes them as soon as nothing uses them.
 */
public final class TemporarySSTables {
    private static final Logger LOG = LoggerFactory.getLogger(TemporarySSTables.class);
    private static final long NO_SEGMENT = -0x726f_636b_7364L;
    static final CommitLogPosition MARK_START = new CommitLogPosition(NO_SEGMENT, 0);
    static final CommitLogPosition MARK_END = new CommitLogPosition(NO_SEGMENT, 1);
    private static final IntervalSet<CommitLogPosition> MARK = new IntervalSet<>(MARK_START, MARK_END);

    private TemporarySSTables() {}

    /** Deletes the temporary sstables in a table's directories that are not loaded as data. */
    public static void removeLeftOvers(Directories directories) {
        for (Descriptor descriptor : directories
                .sstableLister(Directories.OnTxnErr.IGNORE)
                .skipTemporary(true)
                .list()
                .keySet()) {
            if (isMarked(descriptor)) {
                LOG.info("removing {}: a temporary sstable of a stream or a validation", descriptor);
                descriptor.getFormat().delete(descriptor);
            }
        }
    }

    /**
     * Deletes temporary sstables that were loaded as data, because the table was not in RocksDB at the node's start.
     */
    public static void removeLoaded(ColumnFamilyStore cfs) {
        List<SSTableReader> marked = cfs.getLiveSSTables().stream()
                .filter(TemporarySSTables::isMarked)
                .toList();
        marked.forEach(sstable -> LOG.info("removing {}: a temporary sstable of a stream or a validation", sstable));
        remove(cfs, marked);
    }

    /** Deletes loaded sstables. An sstable in a running compaction stays, and so does its data. */
    public static void remove(ColumnFamilyStore cfs, List<SSTableReader> sstables) {
        for (SSTableReader sstable : sstables) {
            try (LifecycleTransaction transaction = cfs.getTracker().tryModify(sstable, OperationType.UNKNOWN)) {
                if (transaction == null) {
                    LOG.warn("cannot remove {}: a compaction uses it", sstable);
                } else {
                    transaction.obsoleteOriginals();
                    transaction.finish();
                }
            }
        }
    }

    /** Whether a loaded sstable is a temporary one. */
    public static boolean isMarked(SSTableReader sstable) {
        return sstable.getSSTableMetadata().commitLogIntervals.equals(MARK);
    }

    static boolean isMarked(Descriptor descriptor) {
        try {
            return StatsComponent.load(descriptor, MetadataType.STATS)
                    .statsMetadata()
                    .commitLogIntervals
                    .equals(MARK);
        } catch (IOException e) {
            if (!descriptor.fileFor(SSTableFormat.Components.STATS).exists()) {
                // a compaction just replaced the sstable
                return false;
            }
            throw new FSReadError(e, descriptor.baseFile());
        }
    }
}
