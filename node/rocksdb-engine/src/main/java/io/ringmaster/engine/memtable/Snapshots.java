package io.ringmaster.engine.memtable;

import io.ringmaster.engine.restore.SnapshotRestore;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableSnapshot;
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

/**
 * Takes and restores snapshots of tables. They are in {@code snapshots/<name>/rocksdb} of the table's directory, where
 * {@code nodetool clearsnapshot} finds them.
 */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final String FOLDER = "rocksdb";

    private Snapshots() {}

    static void take(TableStore store, Memtable.Owner owner, String name) {
        if (owner instanceof ColumnFamilyStore cfs) {
            Path directory = cfs.getDirectories().getDirectoryForNewSSTables().toPath();
            store.checkpoint(
                    directory.resolve(Directories.SNAPSHOT_SUBDIR).resolve(name).resolve(FOLDER));
        }
    }

    /** See {@link io.ringmaster.engine.management.ManagedTable#restore}. */
    static long restore(RocksDBTable table, TableStore store, TableMetadata metadata, Path directory) {
        if (!metadata.indexes.isEmpty()
                || View.findAll(metadata.keyspace, metadata.name).iterator().hasNext()) {
            throw new IllegalStateException(
                    metadata + " cannot be restored: it has indexes or views, which a restore does not update -> drop"
                            + " them, restore, and create them again");
        }
        long start = System.nanoTime();
        try (TableStore.Lease lease = store.lease();
                TableSnapshot snapshot = table.openSnapshot(directory, metadata)) {
            if (lease == null) {
                throw new IllegalStateException(metadata + " cannot be restored: it was dropped or truncated just now");
            }
            LOG.info("restoring {} from {}", metadata, directory);
            long records = new SnapshotRestore(table, store, metadata, CompactionManager.instance.getRateLimiter())
                    .run(snapshot);
            if (table.current() != store) {
                throw new IllegalStateException(
                        metadata + " is not restored: it was altered or truncated meanwhile -> restore it again");
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

    /** Takes the automatic snapshot, because Cassandra takes its own after the switch, when RocksDB is empty. */
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
