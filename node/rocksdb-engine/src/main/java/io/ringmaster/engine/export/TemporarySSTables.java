package io.ringmaster.engine.export;

import java.io.IOException;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.StatsComponent;
import org.apache.cassandra.io.sstable.metadata.MetadataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sstables that Cassandra writes from a live memtable for a stream or a validation, and then forgets: 5.0.9 releases them without
 * deleting them ({@code ColumnFamilyStore.writeMemtableRanges}, {@code DO_NOT_TRACK}). At the next start they would be taken for data,
 * and what was deleted since would be back. They are marked by commit log intervals that no commit log has.
 */
public final class TemporarySSTables {
    private static final Logger LOG = LoggerFactory.getLogger(TemporarySSTables.class);
    private static final long NO_SEGMENT = -0x726f_636b_7364L;
    static final CommitLogPosition MARK_START = new CommitLogPosition(NO_SEGMENT, 0);
    static final CommitLogPosition MARK_END = new CommitLogPosition(NO_SEGMENT, 1);
    private static final IntervalSet<CommitLogPosition> MARK = new IntervalSet<>(MARK_START, MARK_END);

    private TemporarySSTables() {}

    /** Deletes those of a table whose sstables are not loaded yet. */
    public static void removeLeftOvers(Directories directories) {
        for (Descriptor descriptor : directories
                .sstableLister(Directories.OnTxnErr.IGNORE)
                .skipTemporary(true)
                .list()
                .keySet()) {
            if (isMarked(descriptor)) {
                LOG.info("removing {}, which was written for a stream or a validation", descriptor);
                descriptor.getFormat().delete(descriptor);
            }
        }
    }

    private static boolean isMarked(Descriptor descriptor) {
        try {
            return StatsComponent.load(descriptor, MetadataType.STATS)
                    .statsMetadata()
                    .commitLogIntervals
                    .equals(MARK);
        } catch (IOException e) {
            throw new FSReadError(e, descriptor.baseFile());
        }
    }
}
