package io.ringmaster.engine.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.SyncUtil;

/**
 * An empty file in Cassandra's first data directory while RocksDB has tables. What starts the node looks for it:
 * without the engine Cassandra would start, and show those tables as empty.
 */
final class TablesFile {
    private static final String FILE = "rocksdb.tables";

    private TablesFile() {}

    private static Path file() {
        return Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).resolve(FILE);
    }

    /** The file is durable when this returns. */
    static void create() {
        Path file = file();
        if (Files.exists(file)) {
            return;
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[0]);
        } catch (IOException e) {
            throw new FSWriteError(e, file);
        }
        SyncUtil.trySyncDir(new File(file.getParent()));
    }

    static void delete() {
        try {
            Files.deleteIfExists(file());
        } catch (IOException e) {
            throw new FSWriteError(e, file());
        }
    }
}
