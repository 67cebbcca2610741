package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life cycle of a table on one real node: flush, truncate, snapshot, restore, drop, ALTER to and from RocksDB. */
@Tag("cassandra")
@Tag("long")
@Timeout(400)
class LifeTest {
    private static final int ROWS = 200;

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1")
                .alone()
                .start();
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    @AfterEach
    void end() {
        node.close();
    }

    private List<Row> cql(String statement) {
        return node.session().execute(statement).all();
    }

    private void create(String table) {
        cql("CREATE TABLE ks." + table + " (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    }

    private void fill(String table, int from, int to, String value) {
        CqlSession session = node.session();
        PreparedStatement insert = session.prepare("INSERT INTO ks." + table + " (p, c, v) VALUES (?, ?, ?)");
        for (int i = from; i < to; i++) {
            session.execute(insert.bind(i / 5, i % 5, value + i));
        }
    }

    private long count(String table) {
        return cql("SELECT count(*) FROM ks." + table).get(0).getLong(0);
    }

    private void restartByKill() throws Exception {
        node.kill();
        node.start();
    }

    @Test
    void aFlushWritesNoSstableAndAKillBeforeOrAfterItLosesNothing() throws Exception {
        create("t");
        cql("CREATE INDEX by_v ON ks.t (v)");
        fill("t", 0, ROWS, "a");
        node.flush("ks");
        fill("t", ROWS, 2 * ROWS, "b");
        cql("DELETE FROM ks.t WHERE p = 0");
        cql("DELETE FROM ks.t WHERE p = 1 AND c > 2");
        long before = count("t");
        assertThat(before).isEqualTo(2 * ROWS - 5 - 2);
        assertThat(node.sstables("ks", "t")).isEmpty();
        restartByKill();
        assertThat(count("t")).isEqualTo(before);
        assertThat(cql("SELECT p, c FROM ks.t WHERE v = 'a100'")).hasSize(1);
        assertThat(cql("SELECT p, c FROM ks.t WHERE v = 'b300'")).hasSize(1);
        assertThat(cql("SELECT p, c FROM ks.t WHERE v = 'a1'")).as("deleted").isEmpty();
        assertThat(node.sstables("ks", "t")).isEmpty();
    }

    @Test
    void aTruncatedTableStaysEmptyAfterAKillAndItsDataIsInASnapshot() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        node.flush("ks");
        fill("t", ROWS, 2 * ROWS, "b");
        cql("TRUNCATE ks.t");
        assertThat(count("t")).isZero();
        fill("t", 0, 5, "new");
        restartByKill();
        assertThat(count("t")).isEqualTo(5);
        assertThat(node.snapshots("ks", "truncated-")).singleElement().satisfies(snapshot -> assertThat(
                        snapshot.resolveSibling("manifest.json"))
                .as("part of Cassandra's snapshot, which may have a time to live")
                .exists());
    }

    @Test
    void aSnapshotHasFilesUntilItIsCleared() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        node.storage(
                "takeSnapshot",
                new Object[] {"kept", Map.of(), new String[] {"ks.t"}},
                "java.lang.String",
                "java.util.Map",
                "[Ljava.lang.String;");
        assertThat(node.snapshots("ks", "kept")).singleElement().satisfies(snapshot -> {
            try (Stream<Path> files = Files.list(snapshot)) {
                assertThat(files.filter(file -> file.toString().endsWith(".sst")))
                        .isNotEmpty();
            }
        });
        node.storage(
                "clearSnapshot", new Object[] {"kept", new String[] {"ks"}}, "java.lang.String", "[Ljava.lang.String;");
        assertThat(node.snapshots("ks", "kept")).isEmpty();
        assertThat(count("t")).isEqualTo(ROWS);
    }

    @Test
    void aSnapshotIsRestoredIntoItsTableAndIntoARecreatedTable() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        cql("DELETE FROM ks.t WHERE p = 1 AND c > 2");
        cql("TRUNCATE ks.t");
        assertThat(count("t")).isZero();
        Path snapshot = node.snapshots("ks", "truncated-").get(0);
        assertThat(node.restore("ks", "t", snapshot)).isEqualTo(ROWS + 1L);
        assertThat(count("t")).isEqualTo(ROWS - 2);
        restartByKill();
        assertThat(count("t")).isEqualTo(ROWS - 2);
        cql("CREATE INDEX by_v ON ks.t (v)");
        awaitRows("SELECT p FROM ks.t WHERE v = 'a100'");

        cql("DROP TABLE ks.t");
        create("t");
        cql("CREATE INDEX by_v ON ks.t (v)");
        assertThatThrownBy(() -> node.restore("ks", "t", snapshot)).hasMessageContaining("has indexes or views");
        cql("DROP INDEX ks.by_v");
        assertThatThrownBy(() -> node.restore("ks", "t", snapshot.getParent())).hasMessageContaining("is no snapshot");
        node.restore("ks", "t", snapshot);
        assertThat(count("t")).isEqualTo(ROWS - 2);
        cql("CREATE INDEX by_v ON ks.t (v)");
        awaitRows("SELECT p FROM ks.t WHERE v = 'a100'");
    }

    @Test
    void theFilesOfATableCountInTheDiskSpaceMetrics() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        node.flush("ks");
        Ring.await(node, "the size of the table", () -> liveBytes() > 0);
        long bytes = liveBytes();
        fill("t", ROWS, 2 * ROWS, "b");
        node.flush("ks");
        Ring.await(node, "a greater size", () -> liveBytes() > bytes);
        cql("TRUNCATE ks.t");
        Ring.await(node, "the size of an empty table", () -> liveBytes() == 0);
    }

    private long liveBytes() throws IOException {
        return (Long) Objects.requireNonNull(node.attribute(
                "org.apache.cassandra.metrics:type=Table,keyspace=ks,scope=t,name=LiveDiskSpaceUsed", "Count"));
    }

    @Test
    void aDroppedAndRecreatedTableIsEmpty() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        cql("DROP TABLE ks.t");
        create("t");
        assertThat(count("t")).isZero();
        fill("t", 0, 10, "b");
        restartByKill();
        assertThat(count("t")).isEqualTo(10);
    }

    @Test
    void aTableMovesInAndOutWithoutLosingARow() throws Exception {
        cql("CREATE TABLE ks.t (p int, c int, v text, PRIMARY KEY (p, c))");
        fill("t", 0, ROWS, "stock");
        node.flush("ks");
        cql("ALTER TABLE ks.t WITH memtable = 'rocksdb'");
        fill("t", ROWS, 2 * ROWS, "in");
        cql("DELETE FROM ks.t WHERE p = 0");
        assertThat(count("t")).isEqualTo(2 * ROWS - 5);
        restartByKill();
        assertThat(count("t")).isEqualTo(2 * ROWS - 5);
        awaitNoSstables("t");
        assertThat(count("t")).as("after the ingestion of its sstables").isEqualTo(2 * ROWS - 5);
        restartByKill();
        assertThat(count("t")).isEqualTo(2 * ROWS - 5);
        cql("ALTER TABLE ks.t WITH memtable = 'default'");
        fill("t", 2 * ROWS, 3 * ROWS, "out");
        node.flush("ks");
        assertThat(count("t")).isEqualTo(3 * ROWS - 5);
        restartByKill();
        assertThat(count("t")).isEqualTo(3 * ROWS - 5);
        assertThat(node.sstables("ks", "t")).isNotEmpty();
        cql("ALTER TABLE ks.t WITH memtable = 'rocksdb'");
        assertThat(count("t")).isEqualTo(3 * ROWS - 5);
    }

    private void awaitNoSstables(String table) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!node.sstables("ks", table).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not ingested: " + node.sstables("ks", table) + "\n" + node.tail());
            }
            Thread.sleep(300);
        }
    }

    /** Covers deletions of all kinds, static columns and collections, which the ingestion handles separately. */
    @Test
    void aStockTableReadsTheSameAfterTheIngestionOfItsSstables() throws Exception {
        cql("CREATE TABLE ks.s (p int, c decimal, s text static, v text, m map<int, text>, PRIMARY KEY (p, c))"
                + " WITH CLUSTERING ORDER BY (c DESC)");
        for (int p = 0; p < 20; p++) {
            cql("UPDATE ks.s SET s = 's" + p + "' WHERE p = " + p);
            for (int c = 0; c < 10; c++) {
                cql("INSERT INTO ks.s (p, c, v, m) VALUES (" + p + ", " + c + ".50, 'v', {1: 'a', 2: 'b'})");
            }
            cql("DELETE FROM ks.s WHERE p = " + p + " AND c > 6");
            cql("DELETE v, m[1] FROM ks.s WHERE p = " + p + " AND c = 1.5");
        }
        cql("DELETE FROM ks.s WHERE p = 7");
        cql("CREATE TABLE ks.k (p int PRIMARY KEY, v text)");
        cql("INSERT INTO ks.k (p, v) VALUES (1, 'kept')");
        cql("DELETE FROM ks.k WHERE p = 2");
        node.flush("ks");
        List<String> before = contents("s");
        for (String table : List.of("s", "k")) {
            cql("ALTER TABLE ks." + table + " WITH memtable = 'rocksdb'");
            awaitNoSstables(table);
        }
        assertThat(contents("s")).isEqualTo(before);
        assertThat(contents("k")).hasSize(1);
        restartByKill();
        assertThat(contents("s")).isEqualTo(before);
    }

    private List<String> contents(String table) {
        return cql("SELECT * FROM ks." + table).stream()
                .map(Row::getFormattedContents)
                .toList();
    }

    @Test
    void indexesAndViewsOfATableWithDataAreCompleteBeforeAndAfterAKill() throws Exception {
        create("t");
        fill("t", 0, ROWS, "a");
        cql("CREATE INDEX by_v ON ks.t (v)");
        awaitRows("SELECT p FROM ks.t WHERE v = 'a7'");
        cql("DROP INDEX ks.by_v");
        cql("CREATE INDEX sai_v ON ks.t (v) USING 'sai'");
        awaitRows("SELECT p FROM ks.t WHERE v = 'a7'");
        fill("t", ROWS, 2 * ROWS, "b");
        cql("CREATE MATERIALIZED VIEW ks.by_c AS SELECT * FROM ks.t WHERE p IS NOT NULL AND c IS NOT NULL"
                + " PRIMARY KEY (c, p)");
        awaitRows("SELECT p FROM ks.by_c WHERE c = 2 AND p = 3");
        assertThat(cql("SELECT p FROM ks.t WHERE v = 'b300'")).hasSize(1);
        restartByKill();
        for (String value : List.of("a7", "a199", "b200", "b399")) {
            assertThat(cql("SELECT p FROM ks.t WHERE v = '" + value + "'"))
                    .as(value)
                    .hasSize(1);
        }
        assertThat(cql("SELECT p FROM ks.by_c WHERE c = 2")).hasSize(2 * ROWS / 5);
    }

    /** Waits, because indexes and views are built in the background. */
    private void awaitRows(String query) throws InterruptedException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < deadline) {
            try {
                if (!cql(query).isEmpty()) {
                    return;
                }
            } catch (com.datastax.oss.driver.api.core.servererrors.ReadFailureException e) {
                // the index is not built yet
            }
            Thread.sleep(200);
        }
        throw new AssertionError("no rows within 60 s: " + query);
    }
}
