package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.engine.encoding.Columns;
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

/** A RocksDB with the catalogue and one table, linked from the node's into a directory of its own: a snapshot. */
public final class Copy implements AutoCloseable {
    private final Path directory;
    private final DBOptions options = new DBOptions();
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final RocksDB db;

    /**
     * Only to be read.
     *
     * @throws IllegalArgumentException there is none, or it holds another table
     */
    Copy(Path directory, TableMetadata metadata, Tuning tuning) {
        this.directory = directory;
        if (!Files.exists(directory.resolve("CURRENT"))) {
            throw new IllegalArgumentException(directory
                    + " is no snapshot of the RocksDB engine -> name its directory, snapshots/<name>/rocksdb");
        }
        try {
            List<ColumnFamilyDescriptor> descriptors = tuning.families(directory);
            db = RocksDB.openReadOnly(options, directory.toString(), descriptors, handles);
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
        }
        String wanted = metadata.keyspace + "/" + metadata.name + "-";
        if (handles.size() != 2 || !family().startsWith(wanted)) {
            List<String> found = handles.stream().map(this::name).toList();
            close();
            throw new IllegalArgumentException(directory + " holds " + found + ", not " + metadata);
        }
    }

    /** Drops all families but one and the catalogue, so that it does not keep other tables' files from being freed. */
    static void keepOnly(Path directory, String family, Tuning tuning) throws RocksDBException {
        List<ColumnFamilyDescriptor> descriptors = tuning.families(directory);
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

    /** The catalogue is the first. */
    private String family() {
        return name(handles.get(1));
    }

    private String name(ColumnFamilyHandle handle) {
        try {
            return new String(handle.getName(), UTF_8);
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
        }
    }

    /** The columns' numbers when it was made. */
    public Columns columns(TableMetadata metadata) {
        String family = family();
        String table = family.substring(0, family.lastIndexOf('.'));
        try {
            byte[] names = db.get(("columns:" + table).getBytes(UTF_8));
            return new Columns(Table.names(names == null ? "" : new String(names, UTF_8)), metadata, ignored -> {
                throw new IllegalStateException(directory + " is only to be read");
            });
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
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
