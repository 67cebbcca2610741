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

/** Kills during the migration of a table out of RocksDB, during an ingestion and during a restore. */
@Tag("cassandra")
@Tag("long")
@Timeout(500)
class MoveTest {
    private static final int ROWS = 30_000;
    private static final int BATCH = 100;
    private static final int LEFT = ROWS - Ring.ROWS_PER_PARTITION - 2;
    private static final String RESUMED = "resuming the migration of ks/t-";
    private static final String MIGRATED = "migrated RocksDBMemtable(ks/t-";

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

    /** Writes rows and deletions to RocksDB's files, and restarts so that no commit log has them. */
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

    private void killDuringTheMigration() throws Exception {
        node.session().executeAsync("ALTER TABLE ks.t WITH memtable = 'default'");
        killWhenItLogs("Writing RocksDBMemtable(ks/t-");
        assertThat(node.logged()).as("killed too late").doesNotContain("dropped column family ks/t-");
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
    void theNextStartResumesTheMigrationAndAllRowsCanBeReadMeanwhile() throws Exception {
        Ring.create(node, "ks.stays", "rocksdb");
        fill();
        killDuringTheMigration();
        node.startAndKillAt(RESUMED);
        node.start();
        assertThat(node.logged()).contains(RESUMED);
        assertAllIsThere();
        node.session().execute("INSERT INTO ks.t (p, c, v) VALUES (3, 0, 'v12')");
        node.session().execute("DELETE FROM ks.t WHERE p = 3");
        Ring.await(node, "the end of the migration", () -> node.logged().contains(MIGRATED));
        assertAllIsThere();
        restartByKill();
        assertThat(node.logged()).doesNotContain(RESUMED);
        assertAllIsThere();
        node.session().execute("ALTER TABLE ks.t WITH memtable = 'rocksdb'");
        assertAllIsThere();
    }

    @Test
    void withoutAnyTableInRocksDbTheMigrationResumesWhenOneIsCreatedThere() throws Exception {
        fill();
        killDuringTheMigration();
        node.start();
        assertThat(Ring.count(node, "ks.t")).as("the engine is not loaded").isLessThan(LEFT);
        Ring.create(node, "ks.loads", "rocksdb");
        Ring.await(node, "the data", () -> Ring.count(node, "ks.t") == LEFT);
        assertAllIsThere();
        Ring.await(node, "the end of the migration", () -> node.logged().contains(MIGRATED));
        restartByKill();
        assertAllIsThere();
    }

    @Test
    void aMigrationOutOfRocksDbDuringAnIngestionKeepsAllRows() throws Exception {
        int rows = 3000;
        Ring.create(node, "ks.large", "default");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.large (p, c, v) VALUES (?, 0, ?)");
        for (int i = 0; i < rows; i++) {
            node.session().execute(insert.bind(i, "x".repeat(3000)));
        }
        node.flush("ks");
        node.setAttribute("org.apache.cassandra.db:type=StorageService", "CompactionThroughputMbPerSec", 1);
        node.session().execute("ALTER TABLE ks.large WITH memtable = 'rocksdb'");
        Ring.await(node, "the start of the ingestion", () -> compactions().contains("columnfamily=large"));
        node.session().execute("ALTER TABLE ks.large WITH memtable = 'default'");
        Ring.await(node, "the end of the ingestion", () -> !compactions().contains("columnfamily=large"));
        assertThat(Ring.count(node, "ks.large")).isEqualTo(rows);
        assertThat(node.logged()).as("not concurrent").contains(" stays an sstable: its table was exported");
        restartByKill();
        assertThat(Ring.count(node, "ks.large")).isEqualTo(rows);
    }

    private String compactions() throws IOException {
        return String.valueOf(node.attribute("org.apache.cassandra.db:type=CompactionManager", "Compactions"));
    }

    @Test
    void aKillDuringARestoreLeavesAllRowsOrNone() throws Exception {
        fill();
        node.session().execute("DROP INDEX ks.by_v");
        node.session().execute("TRUNCATE ks.t");
        Path snapshot = node.snapshots("ks", "truncated-").get(0);
        Thread restore = new Thread(() -> {
            try {
                node.restore("ks", "t", snapshot);
            } catch (IOException e) {
                // expected: the node was killed
            }
        });
        restore.start();
        killWhenItLogs("restoring ks.t");
        restore.join();
        assertThat(node.logged()).as("killed too late").doesNotContain("restored ");
        node.start();
        assertThat(Ring.count(node, "ks.t")).isIn(0L, (long) LEFT);
        node.restore("ks", "t", snapshot);
        assertThat(Ring.count(node, "ks.t")).isEqualTo(LEFT);
    }
}
