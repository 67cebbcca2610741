package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringmaster.engine.InProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB itself, with the options of the engine. */
class RocksDBOptionsTest {
    /** An operand with a liveness of timestamp 1, as {@code OperandFormat} describes it. */
    private static final byte[] OPERAND = {0, 0, 0, 13, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};

    @TempDir
    Path directory;

    private final List<ColumnFamilyHandle> families = new ArrayList<>();
    private @Nullable RocksDB opened;

    @BeforeEach
    void start() {
        InProcess.start();
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private RocksDB open(int tables, Map<String, String> parameters) throws RocksDBException {
        RocksDBOptions options = new RocksDBOptions(EngineSettings.take(new HashMap<>(parameters)));
        assumeThat(options.mergesInCompactions()).as("the native library").isTrue();
        List<ColumnFamilyDescriptor> descriptors = options.families(directory);
        for (int i = 0; i < tables; i++) {
            descriptors.add(options.family("ks/t" + i + ".1"));
        }
        RocksDB db = RocksDB.open(options.database(), directory.toString(), descriptors, families);
        opened = db;
        families.remove(0);
        return db;
    }

    /** Writes rows of 100 bytes without a log, as the engine does. */
    private void write(RocksDB db, int family, int rows) throws RocksDBException {
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            for (int i = 0; i < rows; i++) {
                db.put(families.get(family), options, ("key number " + i).getBytes(UTF_8), new byte[100]);
            }
        }
    }

    private void writeToMany(int tables, Map<String, String> parameters) throws RocksDBException {
        RocksDB db = open(tables, parameters);
        for (int i = 0; i < tables; i++) {
            write(db, i, 1);
        }
        write(db, tables / 2, 1000);
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
        writeToMany(200, Map.of("write_buffers", "16MiB", "write_buffer", "4MiB"));
    }

    @Test
    void aTableWithoutWritesIsRewrittenAtMostOnceAMonth() {
        RocksDBOptions options = new RocksDBOptions(EngineSettings.take(new HashMap<>(Map.of("purge_delay", "24h"))));
        ColumnFamilyOptions table = options.family("ks/t.1").getOptions();
        // for universal compaction RocksDB uses the lesser of the two, unless it is 0
        assertThat(List.of(table.periodicCompactionSeconds(), table.ttl()))
                .allMatch(age -> age == 0 || age >= 30 * 86_400);
    }

    @Test
    void aReadMergesFewOperandsOfARowThatIsUpdatedOften() throws Exception {
        RocksDB db = open(1, Map.of());
        byte[] key = "hot key".getBytes(UTF_8);
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            for (int i = 0; i < 20_000; i++) {
                db.merge(families.get(0), options, key, OPERAND);
            }
        }
        db.setPerfLevel(PerfLevel.ENABLE_COUNT);
        db.getPerfContext().reset();
        assertThat(db.get(families.get(0), key)).isEqualTo(OPERAND);
        assertThat(db.getPerfContext().getInternalMergePointLookupCount())
                .isBetween(1L, (long) RocksDBOptions.MAX_SUCCESSIVE_MERGES);
    }
}
