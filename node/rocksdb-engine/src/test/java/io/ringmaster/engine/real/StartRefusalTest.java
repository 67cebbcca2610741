package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real node does not serve tables in RocksDB with other data than its own. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class StartRefusalTest {
    private static final String KEYSPACE =
            "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    private static final String TABLE = "CREATE TABLE ks.t (k int PRIMARY KEY)"
            + " WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18 AND memtable = 'rocksdb'";

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1")
                .alone()
                .start();
        node.session().execute(KEYSPACE);
        node.session().execute(TABLE);
        node.session().execute("INSERT INTO ks.t (k) VALUES (1)");
        node.flush("ks", "t");
        node.kill();
    }

    @AfterEach
    void end() {
        node.close();
    }

    private void remove(String... names) throws IOException {
        for (String name : names) {
            Path removed = node.directory().resolve(name);
            if (!Files.exists(removed)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(removed)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void filesOfRocksDBThatStayedWhenTheDataWasRemovedAreNotUsed() throws Exception {
        remove("data", "commitlog");
        node.start();
        node.session().execute(KEYSPACE);
        assertThatThrownBy(() -> {
                    node.session().execute(TABLE);
                    assertThat(node.session().execute("SELECT * FROM ks.t").all())
                            .as("the old row")
                            .isEmpty();
                })
                .isInstanceOf(DriverException.class);
        assertThat(node.logged()).contains("belong to other data directories");
        node.kill();
        remove("data", "commitlog", "rocksdb");
        node.start();
        node.session().execute(KEYSPACE);
        node.session().execute(TABLE);
        assertThat(Ring.count(node, "ks.t")).isZero();
    }

    @Test
    void aNodeDoesNotStartWithoutItsFilesOfRocksDB() throws Exception {
        Path rocksdb = node.directory().resolve("rocksdb");
        Path moved = node.directory().resolve("moved");
        Files.move(rocksdb, moved);
        assertThatThrownBy(() -> node.start())
                .hasMessageContaining("the node ended while it started")
                .hasMessageContaining("RocksDB's files are missing in");
        remove(rocksdb.getFileName().toString());
        Files.move(moved, rocksdb);
        node.start();
        assertThat(Ring.count(node, "ks.t")).isEqualTo(1);
    }

    @Test
    void systemTablesAreNotPutIntoRocksDB() throws Exception {
        Path yaml = node.directory().resolve("cassandra.yaml");
        Files.writeString(yaml, Files.readString(yaml).replace("    rocksdb:\n", "    default:\n"));
        assertThatThrownBy(() -> node.start())
                .hasMessageContaining("the node ended while it started")
                .hasMessageContaining("cannot be in RocksDB, because it is a system table");
    }

    @Test
    void aNodeDoesNotStartWithAnInvalidConfiguration() throws Exception {
        Path yaml = node.directory().resolve("cassandra.yaml");
        String valid = Files.readString(yaml);
        for (String invalid : List.of("block_cache: many", "block_cache: 32MiB, block_cash: 32MiB")) {
            Files.writeString(yaml, valid.replace("block_cache: 32MiB", invalid));
            assertThatThrownBy(() -> node.start())
                    .hasMessageContaining("the node ended while it started")
                    .hasMessageContaining("its tables in RocksDB would be empty");
        }
        Files.writeString(yaml, valid);
        node.start();
        assertThat(Ring.count(node, "ks.t")).isEqualTo(1);
    }
}
