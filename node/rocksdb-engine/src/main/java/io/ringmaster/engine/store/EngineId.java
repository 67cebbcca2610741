package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.SyncUtil;
import org.jspecify.annotations.Nullable;

/**
 * A random number that RocksDB's files and Cassandra's first data directory have in common. Without it, RocksDB's files
 * that stay when the data directories are removed would return old rows to the tables, whose ids stay the same in a
 * cluster. And a node whose files of RocksDB are lost would take part in reads with empty tables.
 */
public final class EngineId {
    private static final String FILE = "rocksdb.id";
    private static final String KEY = "id";

    private EngineId() {}

    /** Whether the data directory belongs to files of RocksDB. */
    public static boolean isInDataDirectory() {
        return Files.exists(file());
    }

    private static Path file() {
        return Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).resolve(FILE);
    }

    /** @throws FSReadError RocksDB's files are missing */
    static void checkExists(Path directory) {
        if (isInDataDirectory() && !Files.exists(directory.resolve("CURRENT"))) {
            throw refusal(
                    directory,
                    "RocksDB's files are missing in " + directory + ", but " + file() + " belongs to some -> restore"
                            + " them; or, to give up this node's data of the tables in RocksDB, remove that file, start"
                            + " and run a full repair");
        }
    }

    /**
     * Checks the number, or sets it if RocksDB's files have none yet.
     *
     * @throws FSReadError the files of RocksDB belong to another data directory
     */
    static void checkOrSet(Engine engine) {
        try {
            String stored = engine.readCatalogue(KEY);
            String found = isInDataDirectory() ? Files.readString(file()) : null;
            if (stored == null) {
                set(engine, found);
            } else if (!stored.equals(found)) {
                throw refusal(
                        engine.directory(),
                        "RocksDB's files in " + engine.directory() + " belong to other data directories: " + file()
                                + (found == null ? " is missing" : " has another number")
                                + " -> remove the files of RocksDB too if the node's data was removed; otherwise"
                                + " restore " + FILE + " with the content " + stored);
            }
        } catch (IOException e) {
            throw new FSReadError(e, file());
        }
    }

    /** A crash in between leaves a file without a number in RocksDB, which the next start takes over. */
    private static void set(Engine engine, @Nullable String found) {
        String id = found == null ? UUID.randomUUID().toString() : found;
        if (found == null) {
            Path temporary = file().resolveSibling(FILE + ".tmp");
            try {
                Files.createDirectories(temporary.getParent());
                Files.write(
                        temporary,
                        id.getBytes(UTF_8),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SYNC);
                Files.move(temporary, file(), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new FSWriteError(e, file());
            }
            SyncUtil.trySyncDir(new File(file().getParent()));
        }
        engine.writeCatalogue(KEY, id);
    }

    private static FSReadError refusal(Path directory, String reason) {
        return new FSReadError(new IOException(reason), directory);
    }
}
