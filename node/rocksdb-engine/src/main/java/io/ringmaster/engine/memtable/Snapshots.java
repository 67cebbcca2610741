package io.ringmaster.engine.memtable;

import io.ringmaster.engine.restore.Restoration;
import io.ringmaster.engine.store.Copy;
import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.view.View;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Snapshots stand where Cassandra keeps its own, so that {@code nodetool clearsnapshot} finds them: {@code snapshots/<name>/rocksdb}. */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final String FOLDER = "rocksdb";

    private Snapshots() {}

    static void take(TableStore store, Memtable.Owner owner, String name) {
        if (owner instanceof ColumnFamilyStore cfs) {
            Path table = cfs.getDirectories().getDirectoryForNewSSTables().toPath();
            store.checkpoint(
                    table.resolve(Directories.SNAPSHOT_SUBDIR).resolve(name).resolve(FOLDER));
        }
    }

    /** See {@link io.ringmaster.engine.operate.OperatedTable#restore}. */
    static long restore(RocksDBMemtable memtable, Path directory) {
        TableMetadata metadata = memtable.metadata();
        if (!metadata.indexes.isEmpty()
                || View.findAll(metadata.keyspace, metadata.name).iterator().hasNext()) {
            throw new IllegalStateException(
                    metadata
                            + " has indexes or views, which would not show what is restored -> drop them, and make them again afterwards");
        }
        long start = System.nanoTime();
        TableStore store = memtable.store();
        try (TableStore.Lease lease = store.lease();
                Copy copy = memtable.table().copy(directory, metadata)) {
            if (lease == null) {
                throw new IllegalStateException(metadata + " was dropped or truncated just now");
            }
            LOG.info("restoring {} from {}", metadata, directory);
            long records = new Restoration(
                            memtable.table(), store, metadata, CompactionManager.instance.getRateLimiter())
                    .run(copy);
            if (memtable.table().current() != store) {
                throw new IllegalStateException(metadata + " was altered or truncated meanwhile -> restore it again");
            }
            LOG.info(
                    "restored {} records of {} from {} in {} ms",
                    records,
                    metadata,
                    directory,
                    (System.nanoTime() - start) / 1_000_000);
            return records;
        }
    }

    /** Cassandra snapshots the emptied table afterwards, under a name of the same form. */
    static void beforeTruncation(TableStore store, Memtable.Owner owner, TableMetadata metadata) {
        if (DatabaseDescriptor.isAutoSnapshot() && metadata.params.allowAutoSnapshot) {
            take(
                    store,
                    owner,
                    ColumnFamilyStore.SNAPSHOT_TRUNCATE_PREFIX + "-" + System.currentTimeMillis() + "-"
                            + metadata.name);
        }
    }
}
