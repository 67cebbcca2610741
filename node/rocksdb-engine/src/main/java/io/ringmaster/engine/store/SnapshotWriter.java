package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.cassandra.io.FSWriteError;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlushOptions;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Creates a {@link TableSnapshot}: links the files of single column families into a RocksDB of their own. Its cost does
 * not depend on other tables. On another file system than that of the data the files are copied.
 */
final class SnapshotWriter implements AutoCloseable {
    /** Few, because each file is opened only once. */
    private static final int MAX_OPEN_FILES = 64;

    private final Path target;
    private final Options options = new Options()
            .setCreateIfMissing(true)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setDisableAutoCompactions(true);
    private final RocksDB copy;

    /** @param target a directory that must not exist yet */
    SnapshotWriter(Path target) {
        this.target = target;
        try {
            Files.createDirectories(target);
            copy = RocksDB.open(options, target.toString());
        } catch (IOException e) {
            throw new FSWriteError(e, target);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, target);
        }
    }

    /**
     * Adds a column family, with all writes from before this call.
     *
     * @param family null if it does not exist, which adds an empty one
     */
    void add(RocksDB source, String name, @Nullable ColumnFamilyHandle family) {
        try (ColumnFamilyOptions same = new ColumnFamilyOptions().setDisableAutoCompactions(true)) {
            ColumnFamilyDescriptor descriptor = new ColumnFamilyDescriptor(name.getBytes(UTF_8), same);
            if (family == null) {
                copy.createColumnFamily(descriptor).close();
            } else {
                add(source, family, descriptor);
            }
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, target);
        }
    }

    private void add(RocksDB source, ColumnFamilyHandle family, ColumnFamilyDescriptor descriptor)
            throws RocksDBException {
        Path exported = target.resolveSibling(target.getFileName() + ".export");
        try (Checkpoint checkpoint = Checkpoint.create(source);
                ExportImportFilesMetaData files = checkpoint.exportColumnFamily(family, exported.toString());
                ImportColumnFamilyOptions move = new ImportColumnFamilyOptions().setMoveFiles(true)) {
            // RocksDB cannot import a column family without files
            ColumnFamilyHandle added = isEmpty(exported)
                    ? copy.createColumnFamily(descriptor)
                    : copy.createColumnFamilyWithImport(descriptor, move, files);
            added.close();
            Files.delete(exported);
        } catch (IOException e) {
            throw new FSWriteError(e, exported);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    /** Adds an entry of the catalogue. */
    void put(String key, String value) {
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            copy.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
            copy.flush(wait);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, target);
        }
    }

    @Override
    public void close() {
        copy.close();
        options.close();
    }
}
