package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.engine.encoding.ColumnNumbers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A snapshot of one table, opened read-only: a RocksDB with the numbers of the table's columns and one column family
 * for each {@link TableStores store} of the table, of hard-linked files.
 */
public final class TableSnapshot implements AutoCloseable {
    private static final String DEFAULT_FAMILY = new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8);

    private final Path directory;
    private final DBOptions options = new DBOptions();
    private final List<ColumnFamilyDescriptor> descriptors;
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final RocksDB db;

    /** @throws IllegalArgumentException the directory holds no snapshot, or one of another table */
    TableSnapshot(Path directory, TableMetadata metadata, RocksDBOptions rocksDBOptions) {
        this.directory = directory;
        if (!Files.exists(directory.resolve("CURRENT"))) {
            throw new IllegalArgumentException(directory
                    + " is no snapshot of the RocksDB engine -> give its directory, snapshots/<name>/rocksdb");
        }
        try {
            descriptors = rocksDBOptions.familiesToRead(directory);
            db = RocksDB.openReadOnly(options, directory.toString(), descriptors, handles);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
        String wanted = metadata.keyspace + "/" + metadata.name + "-";
        List<String> found = stores().stream().map(this::name).toList();
        if (found.isEmpty() || !found.stream().allMatch(name -> name.startsWith(wanted))) {
            close();
            throw new IllegalArgumentException(
                    directory + " is a snapshot of another table: it holds " + found + ", not " + metadata);
        }
    }

    private List<ColumnFamilyHandle> stores() {
        return handles.stream()
                .filter(handle -> !name(handle).equals(DEFAULT_FAMILY))
                .toList();
    }

    private String name(ColumnFamilyHandle handle) {
        try {
            return new String(handle.getName(), UTF_8);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    /** The column numbers at the time of the snapshot. */
    public ColumnNumbers columns(TableMetadata metadata) {
        String family = name(stores().get(0));
        String table = family.substring(0, family.lastIndexOf('.'));
        try {
            byte[] names = db.get(("columns:" + table).getBytes(UTF_8));
            List<ByteBuffer> numbered = ColumnNumbers.parse(names == null ? "" : new String(names, UTF_8));
            return new ColumnNumbers(numbered, metadata, ignored -> {
                throw new IllegalStateException("cannot add a column: " + directory + " is a read-only snapshot");
            });
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    /** Cursors over the records of each store. The same key may be in several. */
    public List<Cursor> cursors() {
        return stores().stream()
                .map(handle -> new Cursor(db, handle, Cursor.Reach.WHOLE_TABLE, directory))
                .toList();
    }

    @Override
    public void close() {
        handles.forEach(ColumnFamilyHandle::close);
        db.close();
        options.close();
        descriptors.forEach(descriptor -> descriptor.getOptions().close());
    }
}
