package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB itself, with the options of the engine. */
class RocksDBOptionsTest {
    @TempDir
    Path directory;

    private final List<ColumnFamilyHandle> families = new ArrayList<>();
    private RocksDB db;

    @BeforeEach
    void start() {
        InProcess.start();
    }

    @AfterEach
    void close() {
        if (db != null) {
            db.close();
        }
    }

    private void open(int tables, Map<String, String> parameters) throws RocksDBException {
        RocksDBOptions options = new RocksDBOptions(EngineSettings.take(new HashMap<>(parameters)));
        List<ColumnFamilyDescriptor> descriptors = options.families(directory);
        for (int i = 0; i < tables; i++) {
            descriptors.add(options.family("ks/t" + i + ".1"));
        }
        db = RocksDB.open(options.database(), directory.toString(), descriptors, families);
        families.remove(0);
    }

    /** Writes rows of 100 bytes without a log, as the engine does. */
    private void write(int family, int rows) throws RocksDBException {
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            for (int i = 0; i < rows; i++) {
                db.put(families.get(family), options, ("key number " + i).getBytes(UTF_8), new byte[100]);
            }
        }
    }

    private void writeToMany(int tables, Map<String, String> parameters) throws RocksDBException {
        open(tables, parameters);
        for (int i = 0; i < tables; i++) {
            write(i, 1);
        }
        write(tables / 2, 1000);
        assertThat(db.getLiveFilesMetaData())
                .as("files, though all rows would fit into one write buffer")
                .isEmpty();
    }

    @Test
    void aWriteDoesNotFlushBecauseThereAreManyTables() throws Exception {
        writeToMany(80, Map.of());
    }

    @Test
    void aWriteDoesNotFlushBecauseThereAreManyTablesAndLittleMemory() throws Exception {
        writeToMany(500, Map.of("write_buffers", "16MiB", "write_buffer", "4MiB"));
    }
}
