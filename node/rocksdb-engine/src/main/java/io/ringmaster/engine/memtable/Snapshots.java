package io.ringmaster.engine.memtable;

import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.TableMetadata;

/** Snapshots stand where Cassandra keeps its own, so that {@code nodetool clearsnapshot} finds them: {@code snapshots/<name>/rocksdb}. */
final class Snapshots {
    private static final String FOLDER = "rocksdb";

    private Snapshots() {}

    static void take(TableStore store, Memtable.Owner owner, String name) {
        if (owner instanceof ColumnFamilyStore cfs) {
            Path table = cfs.getDirectories().getDirectoryForNewSSTables().toPath();
            store.checkpoint(
                    table.resolve(Directories.SNAPSHOT_SUBDIR).resolve(name).resolve(FOLDER));
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
