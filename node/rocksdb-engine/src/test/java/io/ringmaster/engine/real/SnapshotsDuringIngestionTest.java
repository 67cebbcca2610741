package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots and their restore on one real node: while sstables are ingested, and with a row cache. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class SnapshotsDuringIngestionTest {
    private static final int SSTABLES = 12;
    private static final int ROWS_OF_AN_SSTABLE = 50;
    private static final int ROWS = SSTABLES * ROWS_OF_AN_SSTABLE;
    private static final int MAX_RESTORED = 12;

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(
                        directory.resolve("node"),
                        "127.7.1.1",
                        "127.7.1.1",
                        "compaction_throughput: 1MiB/s\nrow_cache_size: 16MiB")
                .alone()
                .start();
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    @AfterEach
    void end() {
        node.close();
    }

    private ResultSet cql(String statement) {
        return node.session().execute(statement);
    }

    private void take(String name) throws Exception {
        node.storage(
                "takeSnapshot",
                new Object[] {name, Map.of(), new String[] {"ks.t"}},
                "java.lang.String",
                "java.util.Map",
                "[Ljava.lang.String;");
    }

    @Test
    void aRestoreInvalidatesTheRowCache() throws Exception {
        cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb' AND allow_auto_snapshot = false"
                + " AND caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}");
        cql("INSERT INTO ks.t (k, v) VALUES (1, 'kept')");
        take("kept");
        cql("TRUNCATE ks.t");
        assertThat(cql("SELECT v FROM ks.t WHERE k = 1").all()).isEmpty();
        node.restore("ks", "t", node.snapshots("ks", "kept").get(0));
        assertThat(cql("SELECT v FROM ks.t WHERE k = 1").all()).hasSize(1);
    }

    @Test
    void eachOfThemIsWhole() throws Exception {
        cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH allow_auto_snapshot = false"
                + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)");
        for (int k = 0; k < ROWS; k++) {
            node.session().execute(insert.bind(k, "x".repeat(5000)));
            if (k % ROWS_OF_AN_SSTABLE == ROWS_OF_AN_SSTABLE - 1) {
                node.flush("ks", "t");
            }
        }
        cql("ALTER TABLE ks.t WITH memtable = 'rocksdb'");
        while (node.sstables("ks", "t").size() == SSTABLES) {
            Thread.sleep(10);
        }
        int taken = 0;
        while (!node.sstables("ks", "t").isEmpty()) {
            take("s" + taken++ + "-");
        }
        assertThat(taken).as("snapshots during the ingestion").isPositive();
        node.setAttribute("org.apache.cassandra.db:type=StorageService", "CompactionThroughputMbPerSec", 0);
        for (int i = 0; i < taken; i += Math.max(1, taken / MAX_RESTORED)) {
            cql("TRUNCATE ks.t");
            assertThat(Ring.count(node, "ks.t")).isZero();
            List<Path> snapshot = node.snapshots("ks", "s" + i + "-");
            assertThat(snapshot).hasSize(1);
            node.restore("ks", "t", snapshot.get(0));
            assertThat(Ring.count(node, "ks.t")).as("rows of snapshot %d", i).isEqualTo(ROWS);
        }
    }
}
