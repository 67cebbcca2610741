package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deletions by CQL on a real node whose tombstones are purged soon. */
@Tag("cassandra")
@Tag("long")
@Timeout(300)
class PurgeTest {
    private static final int ROWS = 1500;
    /** The period of the maintenance, which updates the purge rules, and some seconds. */
    private static final long MAINTENANCE_MILLIS = 15_000;

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", "commitlog_segment_size: 1MiB").alone();
        Path yaml = node.directory().resolve("cassandra.yaml");
        Files.writeString(
                yaml, Files.readString(yaml).replace("write_buffers: 16MiB", "write_buffers: 16MiB, purge_delay: 1s"));
        node.start();
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb' AND gc_grace_seconds = 1");
    }

    @AfterEach
    void end() {
        node.close();
    }

    private ResultSet cql(String statement) {
        return node.session().execute(statement);
    }

    private void fill(int from, int to) {
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)");
        for (int k = from; k < to; k++) {
            node.session().execute(insert.bind(k, "x".repeat(2000)));
        }
    }

    /** Twice, because the first compaction merges operands, and the second may drop the result. */
    private void purge(String table) throws IOException, InterruptedException {
        Thread.sleep(MAINTENANCE_MILLIS);
        for (int i = 0; i < 2; i++) {
            Ring.compact(node, "ks", table);
        }
    }

    /** One segment stays for the only write to another table, and another one with the tombstone does not. */
    @Test
    void aReplayDoesNotReturnARowWhoseTombstoneIsPurged() throws Exception {
        cql("CREATE TABLE ks.stock (k int PRIMARY KEY)");
        cql("INSERT INTO ks.stock (k) VALUES (1)");
        cql("INSERT INTO ks.t (k, v) VALUES (-1, 'deleted')");
        fill(0, ROWS);
        Thread.sleep(2000);
        cql("DELETE FROM ks.t USING TIMESTAMP " + System.currentTimeMillis() / 1000 * 1_000_000 + " WHERE k = -1");
        fill(ROWS, 2 * ROWS);
        node.flush("ks", "t");
        purge("t");
        assertThat(Ring.records(node, "ks.t")).as("with the tombstone").isEqualTo(2 * ROWS);
        node.kill();
        node.start();
        assertThat(node.logged()).contains("Log replay complete");
        assertThat(cql("SELECT v FROM ks.t WHERE k = -1").all()).isEmpty();
        assertThat(Ring.count(node, "ks.t")).isEqualTo(2 * ROWS);
        assertThat(Ring.count(node, "ks.stock")).isEqualTo(1);
    }

    @Test
    void deletedAndExpiredRowsArePurged() throws Exception {
        fill(0, ROWS);
        for (int k = 0; k < ROWS; k += 2) {
            cql("DELETE FROM ks.t WHERE k = " + k);
        }
        for (int k = 0; k < ROWS; k++) {
            cql("INSERT INTO ks.t (k, v) VALUES (" + (ROWS + k) + ", 'expires') USING TTL 1");
        }
        purge("t");
        assertThat(Ring.records(node, "ks.t")).isEqualTo(ROWS / 2);
        assertThat(Ring.count(node, "ks.t")).isEqualTo(ROWS / 2);
    }

    @Test
    void staleEntriesOfAnIndexArePurged() throws Exception {
        cql("CREATE INDEX by_v ON ks.t (v)");
        for (int i = 0; i < ROWS; i++) {
            cql("UPDATE ks.t SET v = 'value " + i + "' WHERE k = 1");
        }
        assertThat(cql("SELECT k FROM ks.t WHERE v = 'value " + (ROWS - 1) + "'")
                        .all())
                .hasSize(1);
        purge("t.by_v");
        assertThat(Ring.records(node, "ks.t.by_v")).isEqualTo(1);
        assertThat(cql("SELECT k FROM ks.t WHERE v = 'value " + (ROWS - 1) + "'")
                        .all())
                .hasSize(1);
    }
}
