package io.ringmaster.engine.export;

import io.ringmaster.engine.store.TemporaryMarks;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
 * {@code nodetool refresh}, would load them as data and resurrect rows that were deleted since. A commit log position
 * that no commit log has marks them. {@link TemporarySSTableCleaner} deletes them as soon as nothing uses them.
 */
public final class TemporarySSTables {
    private static final Logger LOG = LoggerFactory.getLogger(TemporarySSTables.class);
    private static final long NO_SEGMENT = -0x726f_636b_7364L;

    private TemporarySSTables() {}

    static CommitLogPosition position(int mark) {
        return new CommitLogPosition(NO_SEGMENT, mark);
    }

    /** Deletes the temporary sstables in a table's directories that are not loaded as data. */
    public static void removeLeftOvers(Directories directories, TemporaryMarks marks) {
        for (Descriptor descriptor : directories
                .sstableLister(Directories.OnTxnErr.IGNORE)
                .skipTemporary(true)
                .list()
                .keySet()) {
            Set<Integer> found = marks(descriptor, marks);
            if (!found.isEmpty()) {
                LOG.info("removing {}: a temporary sstable of a stream or a validation", descriptor);
                descriptor.getFormat().delete(descriptor);
                marks.retire(found);
            }
        }
    }

    /**
     * Deletes temporary sstables that were loaded as data: for a build that is done, or because the table was not in
     * RocksDB at the node's start, or because a refresh was faster than the cleaner.
     */
    public static void removeLoaded(ColumnFamilyStore cfs, TemporaryMarks marks) {
        List<SSTableReader> marked = loaded(cfs, marks);
        marked.forEach(sstable -> LOG.info("removing {}: a temporary sstable of a stream or a validation", sstable));
        remove(cfs, marked);
    }

    /** Whether temporary sstables are loaded as data. */
    static boolean areLoaded(ColumnFamilyStore cfs, TemporaryMarks marks) {
        return !loaded(cfs, marks).isEmpty();
    }

    private static List<SSTableReader> loaded(ColumnFamilyStore cfs, TemporaryMarks marks) {
        return cfs.getLiveSSTables().stream()
                .filter(sstable -> isTemporary(sstable, marks))
                .toList();
    }

    /** Whether a loaded sstable is a temporary one of this node. */
    public static boolean isTemporary(SSTableReader sstable, TemporaryMarks marks) {
        return !marks(sstable.getSSTableMetadata().commitLogIntervals, marks).isEmpty();
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

    /** The marks of a temporary sstable of this node; none if it is another sstable. */
    static Set<Integer> marks(Descriptor descriptor, TemporaryMarks marks) {
        try {
            return marks(StatsComponent.load(descriptor, MetadataType.STATS).statsMetadata().commitLogIntervals, marks);
        } catch (IOException e) {
            if (!descriptor.fileFor(SSTableFormat.Components.STATS).exists()) {
                // a compaction just replaced the sstable
                return Set.of();
            }
            throw new FSReadError(e, descriptor.baseFile());
        }
    }

    static Set<Integer> marks(IntervalSet<CommitLogPosition> intervals, TemporaryMarks marks) {
        boolean isMarked = intervals.starts().stream()
                .allMatch(start -> start.segmentId == NO_SEGMENT
                        && (start.position == TemporaryMarks.EMPTY || marks.isActive(start.position)));
        return isMarked
                ? intervals.starts().stream()
                        .map(start -> start.position)
                        .filter(marks::isActive)
                        .collect(Collectors.toSet())
                : Set.of();
    }
}
