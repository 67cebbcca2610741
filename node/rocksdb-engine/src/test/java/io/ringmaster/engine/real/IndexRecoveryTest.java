package io.ringmaster.engine.real;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A table-based index after a kill -9, and after its data is lost. */
@Tag("cassandra")
@Tag("long")
@Timeout(400)
class IndexRecoveryTest {
    private static final int ROWS = 20_000;
    private static final int WRITERS = 16;
    private static final String FILLER = "x".repeat(2000);

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1").alone();
        Path yaml = node.directory().resolve("cassandra.yaml");
        Files.writeString(yaml, Files.readString(yaml).replace("write_buffer: 4MiB", "write_buffer: 1MiB"));
        node.start();
        node.session()
                .execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        node.session()
                .execute("CREATE TABLE ks.i (k int PRIMARY KEY, v int, f text) WITH memtable = 'rocksdb'"
                        + " AND compression = {'enabled': false}");
        node.session().execute("CREATE INDEX by_v ON ks.i (v)");
    }

    @AfterEach
    void end() {
        node.close();
    }

    /** Returns the keys whose writes were acknowledged. */
    private Set<Integer> write(int rows) throws InterruptedException {
        CqlSession session = node.session();
        PreparedStatement insert = session.prepare("INSERT INTO ks.i (k, v, f) VALUES (?, ?, ?)");
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger next = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new Thread(() -> {
                try {
                    for (int k = next.getAndIncrement(); k < rows; k = next.getAndIncrement()) {
                        session.execute(insert.bind(k, k, FILLER));
                        acknowledged.add(k);
                        if (k == rows - WRITERS) {
                            node.kill();
                        }
                    }
                } catch (DriverException | IllegalStateException e) {
                    // expected: the node was killed meanwhile
                }
            }));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        return acknowledged;
    }

    private List<Integer> missing(Set<Integer> keys) {
        PreparedStatement select = node.session().prepare("SELECT k FROM ks.i WHERE v = ?");
        return keys.stream()
                .filter(k -> node.session().execute(select.bind(k)).all().isEmpty())
                .toList();
    }

    /** RocksDB flushes the full buffers of the table, while those of its index have room. */
    @Test
    void aKillUnderLoadLosesNoIndexEntry() throws Exception {
        Set<Integer> written = write(ROWS);
        assertThat(written).hasSizeGreaterThan(ROWS / 2);
        node.start();
        assertThat(missing(written)).isEmpty();
    }

    @Test
    void rebuildIndexReadsRocksDb() throws Exception {
        Set<Integer> written = write(2000);
        node.start();
        node.flush("ks");
        node.kill();
        dropIndexData();
        node.start();
        assertThat(missing(written)).hasSameSizeAs(written);
        node.storage(
                "rebuildSecondaryIndex",
                new Object[] {"ks", "i", new String[] {"by_v"}},
                "java.lang.String",
                "java.lang.String",
                "[Ljava.lang.String;");
        Ring.await(node, "the rebuild", () -> node.logged().contains("built index by_v from"));
        assertThat(missing(written)).isEmpty();
        node.kill();
        node.start();
        assertThat(missing(written)).as("after a kill").isEmpty();
    }

    private void dropIndexData() throws IOException, RocksDBException {
        String path = node.directory().resolve("rocksdb").toString();
        RocksDB.loadLibrary();
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        int index = -1;
        try (Options options = new Options();
                ColumnFamilyOptions stored = new ColumnFamilyOptions().setDisableAutoCompactions(true);
                DBOptions database = new DBOptions()) {
            for (byte[] name : RocksDB.listColumnFamilies(options, path)) {
                if (new String(name, UTF_8).contains("i.by_v")) {
                    index = families.size();
                }
                families.add(new ColumnFamilyDescriptor(name, stored));
            }
            try (RocksDB rocksDB = RocksDB.open(database, path, families, handles)) {
                rocksDB.dropColumnFamily(handles.get(index));
                handles.forEach(ColumnFamilyHandle::close);
            }
        }
    }
}
