package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that die while a table is on its way out of RocksDB, or out of a snapshot. */
@Tag("cassandra")
@Tag("long")
@Timeout(500)
class MoveTest {
    private static final int ROWS = 30_000;
    private static final int BATCH = 100;
    private static final int LEFT = ROWS - Ring.ROWS_PER_PARTITION - 2;
    private static final String FOUND = "was on its way out of RocksDB when the node ended";

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1").start();
        node.session()
                .execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        Ring.create(node, "ks.t", "rocksdb");
        node.session().execute("CREATE INDEX by_v ON ks.t (v)");
    }

    @AfterEach
    void end() {
        node.close();
    }

    /** Rows and deletions that are in RocksDB's files and in no commit log. */
    private void fill() throws Exception {
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.t (p, c, v) VALUES (?, ?, ?)");
        for (int from = 0; from < ROWS; from += BATCH) {
            BatchStatement batch = BatchStatement.newInstance(BatchType.UNLOGGED);
            for (int i = from; i < from + BATCH; i++) {
                batch = batch.add(insert.bind(i / Ring.ROWS_PER_PARTITION, i % Ring.ROWS_PER_PARTITION, "v" + i));
            }
            node.session().execute(batch);
        }
        node.session().execute("DELETE FROM ks.t WHERE p = 3");
        node.session().execute("DELETE FROM ks.t WHERE p = 5 AND c > 1");
        node.flush("ks");
        restartByKill();
        assertAllIsThere();
    }

    private void restartByKill() throws Exception {
        node.kill();
        node.start();
    }

    private void killWhenItLogs(String text) throws Exception {
        while (!node.logged().contains(text)) {
            Thread.sleep(2);
        }
        node.kill();
    }

    private void killInTheMiddleOfTheMove() throws Exception {
        node.session().executeAsync("ALTER TABLE ks.t WITH memtable = 'default'");
        killWhenItLogs("Writing RocksDBMemtable(ks/t-");
        assertThat(node.logged()).as("not in the middle").doesNotContain("dropped ks/t-");
    }

    private void assertAllIsThere() {
        assertThat(Ring.count(node, "ks.t")).isEqualTo(LEFT);
        assertThat(node.session().execute("SELECT p FROM ks.t WHERE v = 'v70'").all())
                .hasSize(1);
        assertThat(node.session().execute("SELECT p FROM ks.t WHERE v = 'v12'").all())
                .as("deleted")
                .isEmpty();
    }

    @Test
    void theNextStartGoesOnWithTheMoveAndNothingIsMissingMeanwhile() throws Exception {
        Ring.create(node, "ks.stays", "rocksdb");
        fill();
        killInTheMiddleOfTheMove();
        node.startAndKillAt(FOUND);
        node.start();
        assertThat(node.logged()).contains(FOUND);
        assertAllIsThere();
        node.session().execute("INSERT INTO ks.t (p, c, v) VALUES (3, 0, 'v12')");
        node.session().execute("DELETE FROM ks.t WHERE p = 3");
        Ring.await(node, "the end of the move", () -> node.logged().contains(") is out of RocksDB"));
        assertAllIsThere();
        restartByKill();
        assertThat(node.logged()).doesNotContain(FOUND);
        assertAllIsThere();
        node.session().execute("ALTER TABLE ks.t WITH memtable = 'rocksdb'");
        assertAllIsThere();
    }

    @Test
    void ifNoOtherTableIsInRocksDbTheMoveGoesOnWhenOneIsMadeThere() throws Exception {
        fill();
        killInTheMiddleOfTheMove();
        node.start();
        assertThat(Ring.count(node, "ks.t")).as("nothing asks the engine").isLessThan(LEFT);
        Ring.create(node, "ks.asks", "rocksdb");
        Ring.await(node, "the data", () -> Ring.count(node, "ks.t") == LEFT);
        assertAllIsThere();
        Ring.await(node, "the end of the move", () -> node.logged().contains(") is out of RocksDB"));
        restartByKill();
        assertAllIsThere();
    }

    @Test
    void aTableThatLeavesWhileItsSstablesAreTakenOverKeepsTheirRows() throws Exception {
        int rows = 3000;
        Ring.create(node, "ks.large", "default");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.large (p, c, v) VALUES (?, 0, ?)");
        for (int i = 0; i < rows; i++) {
            node.session().execute(insert.bind(i, "x".repeat(3000)));
        }
        node.flush("ks");
        node.setAttribute("org.apache.cassandra.db:type=StorageService", "CompactionThroughputMbPerSec", 1);
        node.session().execute("ALTER TABLE ks.large WITH memtable = 'rocksdb'");
        Ring.await(node, "the take-over to begin", () -> compactions().contains("columnfamily=large"));
        node.session().execute("ALTER TABLE ks.large WITH memtable = 'default'");
        Ring.await(node, "its end", () -> !compactions().contains("columnfamily=large"));
        assertThat(Ring.count(node, "ks.large")).isEqualTo(rows);
        assertThat(node.logged()).as("not at the same time").contains(" stays: its table was flushed");
        restartByKill();
        assertThat(Ring.count(node, "ks.large")).isEqualTo(rows);
    }

    private String compactions() throws IOException {
        return String.valueOf(node.attribute("org.apache.cassandra.db:type=CompactionManager", "Compactions"));
    }

    @Test
    void aKillInTheMiddleOfARestorationLeavesNothingHalf() throws Exception {
        fill();
        node.session().execute("DROP INDEX ks.by_v");
        node.session().execute("TRUNCATE ks.t");
        Path snapshot = node.snapshots("ks", "truncated-").get(0);
        Thread restoration = new Thread(() -> {
            try {
                node.restore("ks", "t", snapshot);
            } catch (IOException e) {
                // it was killed
            }
        });
        restoration.start();
        killWhenItLogs("restoring ks.t");
        restoration.join();
        assertThat(node.logged()).as("not in the middle").doesNotContain("restored ");
        node.start();
        assertThat(Ring.count(node, "ks.t")).isIn(0L, (long) LEFT);
        node.restore("ks", "t", snapshot);
        assertThat(Ring.count(node, "ks.t")).isEqualTo(LEFT);
    }
}
