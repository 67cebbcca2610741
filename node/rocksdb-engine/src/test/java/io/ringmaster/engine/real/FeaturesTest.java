package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Features that keep data in several tables: batches, indexes, views. Each is read again after a kill -9. */
@Tag("cassandra")
@Tag("long")
@Timeout(400)
class FeaturesTest {
    private static final int ROWS = 80;
    private static final String LOGGED = "    logged: {inherits: rocksdb, parameters: {durability: wal}}";

    @TempDir
    static Path directory;

    private static Node node;

    @BeforeAll
    static void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", LOGGED)
                .alone()
                .start();
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    @AfterAll
    static void end() {
        if (node != null) {
            node.close();
        }
    }

    private static ResultSet cql(String statement) {
        return node.session().execute(statement);
    }

    private static void restartByKill() throws Exception {
        node.kill();
        node.start();
    }

    /** The partition keys of the rows that a query returns. */
    private static Set<Integer> found(String query) {
        Set<Integer> found = new HashSet<>();
        for (Row row : cql(query)) {
            assertThat(found.add(row.getInt("p"))).as("twice").isTrue();
        }
        return found;
    }

    @Test
    void aBatchOfTablesWithDifferentMemtablesIsAtomic() throws Exception {
        List<String> tables = List.of("ks.b_trie", "ks.b_rocksdb", "ks.b_logged");
        tables.forEach(table -> Ring.create(node, table, table.substring("ks.b_".length())));
        for (int i = 0; i < ROWS; i++) {
            StringBuilder batch = new StringBuilder(i % 2 == 0 ? "BEGIN BATCH " : "BEGIN UNLOGGED BATCH ");
            for (String table : tables) {
                batch.append("INSERT INTO ")
                        .append(table)
                        .append(" (p, c, v) VALUES (")
                        .append(i)
                        .append(", 0, 'v");
                batch.append(i).append("'); ");
            }
            cql(batch + "APPLY BATCH");
            if (i == ROWS / 2) {
                node.flush("ks", "b_rocksdb");
            }
        }
        assertThatThrownBy(() -> cql("BEGIN BATCH INSERT INTO ks.b_trie (p, c, v) VALUES (-1, 0, 'x') IF NOT EXISTS;"
                        + " INSERT INTO ks.b_rocksdb (p, c, v) VALUES (-1, 0, 'x'); APPLY BATCH"))
                .as("conditions on two tables")
                .hasMessageContaining("Batch with conditions cannot span multiple tables");
        restartByKill();
        List<String> expected = Ring.contents(node, tables.get(0));
        assertThat(expected).hasSize(ROWS);
        for (String table : tables) {
            assertThat(Ring.contents(node, table)).as(table).isEqualTo(expected);
        }
    }

    @Test
    void indexesOfAllKindsReturnExactlyTheMatchingRows() throws Exception {
        indexed("legacy", "CREATE INDEX ON ks.%s (v)");
        indexed("sai", "CREATE INDEX ON ks.%s (v) USING 'sai'");
        indexed("sasi", "CREATE CUSTOM INDEX ON ks.%s (v) USING 'org.apache.cassandra.index.sasi.SASIIndex'");
    }

    /** Writes half of the rows before it creates the index. */
    private static void indexed(String table, String create) throws Exception {
        cql("CREATE TABLE ks." + table + " (p int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
        for (int p = 0; p < ROWS / 2; p++) {
            cql("INSERT INTO ks." + table + " (p, v) VALUES (" + p + ", '" + (p % 2 == 0 ? "even" : "odd") + "')");
        }
        cql(create.formatted(table));
        String query = "SELECT p FROM ks." + table + " WHERE v = 'even'";
        Ring.await(node, "the index of " + table, () -> isAnswered(query));
        Set<Integer> expected = new HashSet<>();
        for (int p = 0; p < ROWS; p++) {
            if (p >= ROWS / 2) {
                cql("INSERT INTO ks." + table + " (p, v) VALUES (" + p + ", '" + (p % 2 == 0 ? "even" : "odd") + "')");
            }
            if (p % 2 == 0) {
                expected.add(p);
            }
        }
        cql("DELETE FROM ks." + table + " WHERE p = 2");
        cql("UPDATE ks." + table + " SET v = 'odd' WHERE p = 4");
        cql("UPDATE ks." + table + " SET v = 'even' WHERE p = 5");
        cql("DELETE v FROM ks." + table + " WHERE p = " + (ROWS - 2));
        expected.removeAll(Set.of(2, 4, ROWS - 2));
        expected.add(5);
        assertThat(found(query)).as(table).isEqualTo(expected);
        restartByKill();
        assertThat(found(query)).as("%s after a kill", table).isEqualTo(expected);
        node.flush("ks", table);
        cql("UPDATE ks." + table + " SET v = 'odd' WHERE p = 5");
        expected.remove(5);
        assertThat(found(query)).as("%s after a flush", table).isEqualTo(expected);
        restartByKill();
        assertThat(found(query)).as("%s after both", table).isEqualTo(expected);
    }

    private static boolean isAnswered(String query) {
        try {
            return found(query).size() == ROWS / 4;
        } catch (ReadFailureException e) {
            // the index is not built yet
            return false;
        }
    }

    @Test
    void aViewInRocksDbFollowsItsBaseTable() throws Exception {
        cql("CREATE TABLE ks.base (p int PRIMARY KEY, v text, w int) WITH memtable = 'rocksdb'");
        for (int p = 0; p < ROWS; p++) {
            cql("INSERT INTO ks.base (p, v, w) VALUES (" + p + ", 'v" + p % 4 + "', " + p + ")");
        }
        cql("CREATE MATERIALIZED VIEW ks.by_v AS SELECT * FROM ks.base WHERE v IS NOT NULL AND p IS NOT NULL"
                + " PRIMARY KEY (v, p) WITH memtable = 'rocksdb'");
        Ring.await(node, "the view", () -> found("SELECT p FROM ks.by_v").size() == ROWS);
        cql("UPDATE ks.base SET v = 'v1' WHERE p = 0");
        cql("DELETE FROM ks.base WHERE p = 4");
        cql("DELETE v FROM ks.base WHERE p = 8");
        cql("UPDATE ks.base SET w = -1 WHERE p = 12");
        Set<Integer> expected = new HashSet<>();
        for (int p = 16; p < ROWS; p += 4) {
            expected.add(p);
        }
        expected.add(12);
        for (int round = 0; round < 2; round++) {
            assertThat(found("SELECT p FROM ks.by_v WHERE v = 'v0'")).isEqualTo(expected);
            assertThat(found("SELECT p FROM ks.by_v WHERE v = 'v1'")).contains(0);
            assertThat(cql("SELECT w FROM ks.by_v WHERE v = 'v0' AND p = 12")
                            .one()
                            .getInt("w"))
                    .isEqualTo(-1);
            restartByKill();
        }
    }

    @Test
    void anIndexThatRestartsWouldLoseGetsAWarningAndItsTableRejectsWrites() {
        cql("CREATE TABLE ks.lost (p int PRIMARY KEY, v text) WITH memtable = 'logged'");
        cql("INSERT INTO ks.lost (p, v) VALUES (1, 'a')");
        ResultSet created = cql("CREATE INDEX lost_v ON ks.lost (v) USING 'sai'");
        assertThat(created.getExecutionInfo().getWarnings())
                .singleElement()
                .asString()
                .contains("ks.lost", "durability is 'wal'", "drop the index");
        assertThatThrownBy(() -> cql("INSERT INTO ks.lost (p, v) VALUES (2, 'a')"))
                .isInstanceOf(com.datastax.oss.driver.api.core.DriverException.class);
        cql("DROP INDEX ks.lost_v");
        cql("INSERT INTO ks.lost (p, v) VALUES (2, 'a')");
        assertThat(found("SELECT p FROM ks.lost")).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aTableThatMayPurgeOnlyRepairedTombstonesGetsAWarningAndRejectsWrites() throws Exception {
        String option =
                " compaction = {'class': 'SizeTieredCompactionStrategy', 'only_purge_repaired_tombstones': '%s'}";
        ResultSet created = cql("CREATE TABLE ks.repaired (p int PRIMARY KEY, v text) WITH memtable = 'rocksdb' AND"
                + option.formatted(true));
        assertThat(created.getExecutionInfo().getWarnings())
                .singleElement()
                .asString()
                .contains("ks.repaired", "only_purge_repaired_tombstones", "never counts as repaired");
        String insert = "INSERT INTO ks.repaired (p, v) VALUES (1, 'a')";
        assertThatThrownBy(() -> cql(insert)).isInstanceOf(com.datastax.oss.driver.api.core.DriverException.class);
        cql("ALTER TABLE ks.repaired WITH" + option.formatted(false));
        cql(insert);
        ResultSet altered = cql("ALTER TABLE ks.repaired WITH" + option.formatted(true));
        assertThat(altered.getExecutionInfo().getWarnings()).hasSize(1);
        assertThatThrownBy(() -> cql(insert)).isInstanceOf(com.datastax.oss.driver.api.core.DriverException.class);
        restartByKill();
        assertThat(found("SELECT p FROM ks.repaired")).as("replayed").containsExactly(1);
        cql("ALTER TABLE ks.repaired WITH memtable = 'default'");
        cql(insert);
    }
}
