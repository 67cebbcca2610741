package io.ringmaster.companion.task;

import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.service.StorageService;

/** Maintains tables one after another. Progress is in bytes on disk. */
final class TableTask implements TaskBody {
    private static final String ONE_JOB = "1";

    enum Kind {
        FLUSH(OperationType.FLUSH, "flushed"),
        COMPACT(OperationType.MAJOR_COMPACTION, "compacted"),
        CLEANUP(OperationType.CLEANUP, "cleaned up"),
        GARBAGE_COLLECT(OperationType.GARBAGE_COLLECT, "garbage-collected"),
        UPGRADE_SSTABLES(OperationType.UPGRADE_SSTABLES, "upgraded");

        /** The type in Cassandra's list of active compactions. */
        private final OperationType type;

        private final String past;

        Kind(OperationType type, String past) {
            this.type = type;
            this.past = past;
        }
    }

    private final Kind kind;
    private final Map<String, String> args;
    private final int jobs;
    private volatile List<ColumnFamilyStore> tables = List.of();

    TableTask(Kind kind, Map<String, String> args) {
        this.kind = kind;
        this.args = args;
        this.jobs = Integer.parseInt(args.getOrDefault("jobs", ONE_JOB));
    }

    @Override
    public String run(Progress progress) throws Exception {
        tables = Tables.chosen(args);
        long bytes = tables.stream().mapToLong(TableTask::bytes).sum();
        progress.expect(bytes, "bytes");
        String snapshot = kind == Kind.CLEANUP ? CleanupSnapshot.take(args, tables, bytes) : "";
        long before = 0;
        int count = 0;
        for (ColumnFamilyStore table : tables) {
            if (progress.isStopped()) {
                break;
            }
            long base = before;
            long size = bytes(table);
            progress.at(
                    table.getKeyspaceName() + "." + table.getTableName(),
                    () -> base + Math.min(size, completed(table)));
            count += Tables.unlessDropped(table, progress, () -> maintain(table, progress))
                            .isPresent()
                    ? 1
                    : 0;
            before += size;
        }
        return count + (count == 1 ? " table " : " tables ") + kind.past + snapshot + Tables.missing(args);
    }

    private boolean maintain(ColumnFamilyStore table, Progress progress) throws Exception {
        int status = run(table.getKeyspaceName(), table.getTableName());
        if (status != 0 && !progress.isStopped()) {
            throw new IllegalStateException(
                    "Cassandra could not finish " + Tables.name(table) + " (status " + status + "): see its log");
        }
        return true;
    }

    /** @return the status as nodetool reports it: 0 for success */
    private int run(String keyspace, String table) throws Exception {
        StorageService service = StorageService.instance;
        switch (kind) {
            case FLUSH -> service.forceKeyspaceFlush(keyspace, table);
            case COMPACT -> {
                service.forceKeyspaceCompaction(false, keyspace, table);
                RocksDBTables.compact(keyspace, table);
            }
            case CLEANUP -> {
                int status = service.forceKeyspaceCleanup(jobs, keyspace, table);
                RocksDBTables.cleanup(keyspace, table);
                return status;
            }
            case GARBAGE_COLLECT -> {
                int status = service.garbageCollect("ROW", jobs, keyspace, table);
                RocksDBTables.compact(keyspace, table);
                return status;
            }
            case UPGRADE_SSTABLES -> {
                return service.upgradeSSTables(keyspace, true, Long.MAX_VALUE, jobs, table);
            }
        }
        return 0;
    }

    @Override
    public void stop() {
        List<ColumnFamilyStore> chosen = tables;
        CompactionManager.instance.active.getCompactions().stream()
                .filter(c -> chosen.stream().anyMatch(t -> isOf(c.getCompactionInfo(), t)))
                .forEach(CompactionInfo.Holder::stop);
    }

    private static long bytes(ColumnFamilyStore table) {
        return table.metric.liveDiskSpaceUsed.getCount();
    }

    private long completed(ColumnFamilyStore table) {
        return CompactionManager.instance.active.getCompactions().stream()
                .map(CompactionInfo.Holder::getCompactionInfo)
                .filter(i -> isOf(i, table))
                .mapToLong(CompactionInfo::getCompleted)
                .sum();
    }

    private boolean isOf(CompactionInfo info, ColumnFamilyStore table) {
        return info.getTaskType() == kind.type
                && info.getTableMetadata() != null
                && info.getTableMetadata().id.equals(table.metadata().id);
    }
}
