package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A RocksDB in another directory that was linked from the node's. */
final class Copies {
    private Copies() {}

    /** Drops all families but one and the catalogue, so that it does not keep other tables' files from being freed. */
    static void keepOnly(Path directory, String family, Tuning tuning) throws RocksDBException {
        List<ColumnFamilyDescriptor> descriptors = tuning.families(directory);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                RocksDB copy = RocksDB.open(options, directory.toString(), descriptors, handles)) {
            for (ColumnFamilyHandle handle : handles) {
                byte[] name = handle.getName();
                if (!Arrays.equals(name, RocksDB.DEFAULT_COLUMN_FAMILY)
                        && !Arrays.equals(name, family.getBytes(UTF_8))) {
                    copy.dropColumnFamily(handle);
                }
                handle.close();
            }
        }
    }
}
