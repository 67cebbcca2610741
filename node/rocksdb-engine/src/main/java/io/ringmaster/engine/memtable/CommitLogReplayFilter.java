package io.ringmaster.engine.memtable;

import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.CommitLogReplayer;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.concurrent.ImmediateFuture;

/**
 * Skips replayed writes that RocksDB's files had before the crash. Cassandra learns from sstables what is persisted. A
 * table in RocksDB has no sstables, so Cassandra replays every segment that any table still needs: deleted rows whose
 * tombstones are purged already would return.
 */
final class CommitLogReplayFilter extends CommitLogReplayer.MutationInitiator {
    private CommitLogReplayFilter() {}

    /** Called before Cassandra replays, which is after it has opened all tables. */
    static void install() {
        CommitLogReplayer.mutationInitiator = new CommitLogReplayFilter();
    }

    @Override
    protected Future<Integer> initiateMutation(
            Mutation mutation, long segmentId, int serializedSize, int entryLocation, CommitLogReplayer replayer) {
        CommitLogPosition position = new CommitLogPosition(segmentId, entryLocation);
        Set<TableId> persisted = mutation.getTableIds().stream()
                .filter(table -> isPersisted(table, position))
                .collect(Collectors.toSet());
        if (persisted.size() == mutation.getTableIds().size()) {
            return ImmediateFuture.success(serializedSize);
        }
        return super.initiateMutation(mutation.without(persisted), segmentId, serializedSize, entryLocation, replayer);
    }

    private static boolean isPersisted(TableId id, CommitLogPosition position) {
        ColumnFamilyStore cfs = Schema.instance.getColumnFamilyStoreInstance(id);
        return cfs != null
                && cfs.getCurrentMemtable() instanceof RocksDBMemtable memtable
                // a restore to a point in time replays what was deleted since
                && CommitLog.instance.archiver.getRestorePointInTimeInMicroseconds() == Long.MAX_VALUE
                && memtable.table().persisted().contains(position);
    }

    /**
     * Records that the writes of a flushed memtable are in files.
     *
     * @param from the bounds of the memtable's part of the commit log
     */
    static void addPersisted(RocksDBTable table, ColumnFamilyStore cfs, CommitLogPosition from, CommitLogPosition to) {
        flushIndexes(cfs);
        IntervalSet<CommitLogPosition> flushed = new IntervalSet<>(
                new CommitLogPosition(from.segmentId, from.position), new CommitLogPosition(to.segmentId, to.position));
        table.persisted().add(flushed, oldestSegment());
    }

    /** An index whose flush failed needs the replay of its table's writes. */
    private static void flushIndexes(ColumnFamilyStore cfs) {
        for (ColumnFamilyStore index : cfs.indexManager.getAllIndexColumnFamilyStores()) {
            for (Memtable flushing : index.getTracker().getView().flushingMemtables) {
                if (flushing instanceof RocksDBMemtable memtable) {
                    try (TableStore.Lease lease = memtable.store().lease()) {
                        if (lease != null) {
                            memtable.store().flush();
                        }
                    }
                }
            }
        }
    }

    /** Before the node joins the ring it may still need all segments that are older than its own. */
    private static long oldestSegment() {
        if (!StorageService.instance.isInitialized()) {
            return Long.MIN_VALUE;
        }
        return CommitLog.instance.segmentManager.getActiveSegments().stream()
                .mapToLong(segment -> segment.id)
                .min()
                .orElse(Long.MIN_VALUE);
    }
}
