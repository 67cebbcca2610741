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

/** A snapshot of one table: a RocksDB with the catalogue and the table's column family, of hard-linked files. */
public final class TableSnapshot implements AutoCloseable {
    private final Path directory;
    private final DBOptions options = new DBOptions();
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final RocksDB db;

    /**
     * Opens a snapshot read-only.
     *
     * @throws IllegalArgumentException the directory holds no snapshot, or one of another table
     */
    TableSnapshot(Path directory, TableMetadata metadata, RocksDBOptions rocksDBOptions) {
        this.directory = directory;
        if (!Files.exists(directory.resolve("CURRENT"))) {
            throw new IllegalArgumentException(directory
                    + " is no snapshot of the RocksDB engine -> give its directory, snapshots/<name>/rocksdb");
        }
        try {
            List<ColumnFamilyDescriptor> descriptors = rocksDBOptions.families(directory);
            db = RocksDB.openReadOnly(options, directory.toString(), descriptors, handles);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
        String wanted = metadata.keyspace + "/" + metadata.name + "-";
        if (handles.size() != 2 || !family().startsWith(wanted)) {
            List<String> found = handles.stream().map(this::name).toList();
            close();
            throw new IllegalArgumentException(
                    directory + " is a snapshot of another table: it holds " + found + ", not " + metadata);
        }
    }

    /** Drops all column families except one and the catalogue, so that the links do not pin other tables' files. */
    static void keepOnly(Path directory, String family, RocksDBOptions rocksDBOptions) throws RocksDBException {
        List<ColumnFamilyDescriptor> descriptors = rocksDBOptions.families(directory);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                RocksDB copy = RocksDB.open(options, directory.toString(), descriptors, handles)) {
            for (ColumnFamilyHandle handle : handles) {
                String name = new String(handle.getName(), UTF_8);
                if (!name.equals(new String(RocksDB.DEFAULT_COLUMN_FAMILY, UTF_8)) && !name.equals(family)) {
                    copy.dropColumnFamily(handle);
                }
                handle.close();
            }
        }
    }

    /** The table's column family; the catalogue is the first handle. */
    private String family() {
        return name(handles.get(1));
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
        String family = family();
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

    public Cursor cursor() {
        return new Cursor(db, handles.get(1), Cursor.Reach.WHOLE_TABLE, directory);
    }

    @Override
    public void close() {
        handles.forEach(ColumnFamilyHandle::close);
        db.close();
        options.close();
    }
}
