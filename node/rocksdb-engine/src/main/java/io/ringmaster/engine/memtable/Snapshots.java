package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.restore.SnapshotRestore;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableSnapshot;
import io.ringmaster.engine.store.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.CacheService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes and restores snapshots of tables. They are in {@code snapshots/<name>/rocksdb} of the table's directory, where
 * {@code nodetool clearsnapshot} finds them.
 *
 * <p>They include the table's sstables, because Cassandra links those only later: an sstable that is ingested in
 * between would be missing.
 */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final String FOLDER = "rocksdb";
    private static final String SSTABLES = "sstables";

    private Snapshots() {}

    static void take(RocksDBTable table, ColumnFamilyStore cfs, String name) {
        Path directory = cfs.getDirectories()
                .getDirectoryForNewSSTables()
                .toPath()
                .resolve(Directories.SNAPSHOT_SUBDIR)
                .resolve(name)
                .resolve(FOLDER);
        table.takeSnapshot(
                directory,
                SystemKeyspace.getTruncatedAt(cfs.metadata.id),
                () -> linkSSTables(table, cfs, directory.resolve(SSTABLES)));
    }

    private static void linkSSTables(RocksDBTable table, ColumnFamilyStore cfs, Path directory) {
        try (ColumnFamilyStore.RefViewFragment view =
                cfs.selectAndReference(View.selectFunction(SSTableSet.CANONICAL))) {
            for (SSTableReader sstable : view.sstables) {
                if (!TemporarySSTables.isTemporary(sstable, table.temporaryMarks())) {
                    Files.createDirectories(directory);
                    sstable.createLinks(directory.toString(), DatabaseDescriptor.getSnapshotRateLimiter());
                }
            }
        } catch (IOException e) {
            throw new FSWriteError(e, directory);
        }
    }

    /** See {@link io.ringmaster.engine.management.ManagedTable#restore}. */
    static long restore(RocksDBTable table, TableStore store, ColumnFamilyStore cfs, Path directory) {
        TableMetadata metadata = cfs.metadata();
        if (!metadata.indexes.isEmpty()
                || org.apache.cassandra.db.view.View.findAll(metadata.keyspace, metadata.name)
                        .iterator()
                        .hasNext()) {
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
            importSSTables(cfs, directory.resolve(SSTABLES));
            CacheService.instance.invalidateRowCacheForCf(metadata);
            CacheService.instance.invalidateCounterCacheForCf(metadata);
            LOG.info(
                    "restored {} records of {} from {} in {} ms",
                    records,
                    metadata,
                    directory,
                    (System.nanoTime() - start) / 1_000_000);
            return records;
        }
    }

    /** Adds copies of the sstables to the table. They are ingested later. */
    private static void importSSTables(ColumnFamilyStore cfs, Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        List<String> failed = cfs.importNewSSTables(
                Set.of(directory.toString()),
                /* resetLevel */ false,
                /* clearRepaired */ false,
                /* verifySSTables */ true,
                /* verifyTokens */ false,
                /* invalidateCaches */ true,
                /* extendedVerify */ false,
                /* copyData */ true,
                /* failOnMissingIndex */ false,
                /* validateIndexChecksum */ true);
        if (!failed.isEmpty()) {
            throw new IllegalStateException("the sstables in " + directory + " are not restored: the log has the reason"
                    + " -> remove the damaged ones and restore again");
        }
    }
}
