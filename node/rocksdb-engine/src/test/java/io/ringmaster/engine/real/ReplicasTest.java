package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas of each row, both in RocksDB or one in stock storage, because the nodes' configurations differ. */
@Tag("cassandra")
@Tag("long")
@Timeout(1800)
class ReplicasTest {
    private static final int ROWS = 120;
    private static final String SECOND = "127.7.1.2";
    private static final String HINTS = "org.apache.cassandra.hints:type=HintsService";

    /** Memtables that are RocksDB's on both nodes, on the first only, and on the second only. */
    private static final List<String> MEMTABLES = List.of("rocksdb", "on_first", "on_second");

    @TempDir
    static Path directory;

    private static Node first;
    private static Node second;

    @BeforeAll
    static void start() throws Exception {
        first = new Node(
                        directory.resolve("first"),
                        "127.7.1.1",
                        "127.7.1.1",
                        "    on_first: {inherits: rocksdb}\n    on_second: {inherits: trie}")
                .start();
        second = new Node(
                        directory.resolve("second"),
                        SECOND,
                        "127.7.1.1",
                        "    on_first: {inherits: trie}\n    on_second: {inherits: rocksdb}")
                .start();
        first.session()
                .execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
        first.session().execute("CREATE TYPE ks.pair (a int, b text)");
    }

    @AfterAll
    static void end() {
        if (second != null) {
            second.close();
        }
        first.close();
    }

    /** Returns the rows of each table. The second node has only the first half, without the later deletions. */
    private static List<String> writeWhileTheSecondIsDown(String prefix) throws Exception {
        for (String memtable : MEMTABLES) {
            Ring.create(first, "ks." + prefix + memtable, memtable);
            Ring.fill(first.session(), "ks." + prefix + memtable, 0, ROWS / 2);
        }
        second.kill();
        Ring.awaitDown(first, SECOND);
        List<String> last = List.of();
        for (String memtable : MEMTABLES) {
            String table = "ks." + prefix + memtable;
            Ring.fill(first.session(), table, ROWS / 2, ROWS);
            first.session().execute("DELETE FROM " + table + " WHERE p = 1");
            first.session().execute("DELETE FROM " + table + " WHERE p = 2 AND c >= 2");
            first.session().execute("DELETE FROM " + table + " WHERE p = 4 AND c = 0");
            first.session().execute("DELETE v FROM " + table + " WHERE p = 5 AND c = 0");
            last = rows(first, table);
            assertThat(last).hasSize(ROWS - 4 - 2 - 1);
        }
        return last;
    }

    private static List<String> rows(Node node, String table) {
        return node.session().execute("SELECT p, c, v FROM " + table).all().stream()
                .map(com.datastax.oss.driver.api.core.cql.Row::getFormattedContents)
                .toList();
    }

    private static void assertTheSecondHas(List<String> expected, String prefix) {
        for (String memtable : MEMTABLES) {
            assertThat(rows(second, "ks." + prefix + memtable)).as(memtable).isEqualTo(expected);
        }
    }

    private static void hints(String operation) throws IOException {
        first.call(HINTS, operation, new Object[0]);
    }

    @Test
    void hintsDeliverMissedWrites() throws Exception {
        List<String> expected = writeWhileTheSecondIsDown("h_");
        second.start();
        for (String memtable : MEMTABLES) {
            Ring.await(first, "hints of " + memtable, () -> rows(second, "ks.h_" + memtable)
                    .equals(expected));
        }
    }

    @Test
    void readRepairDeliversMissedWrites() throws Exception {
        List<String> expected = writeWhileTheSecondIsDown("r_");
        hints("pauseDispatch");
        try {
            second.start();
            for (String memtable : MEMTABLES) {
                String table = "ks.r_" + memtable;
                assertThat(rows(second, table)).as(memtable).hasSize(ROWS / 2);
                assertThat(first
                                .session()
                                .execute(SimpleStatement.newInstance("SELECT p, c, v FROM " + table)
                                        .setConsistencyLevel(DefaultConsistencyLevel.ALL))
                                .all()
                                .stream()
                                .map(com.datastax.oss.driver.api.core.cql.Row::getFormattedContents))
                        .containsExactlyElementsOf(expected);
            }
            assertTheSecondHas(expected, "r_");
        } finally {
            hints("deleteAllHints");
            hints("resumeDispatch");
        }
    }

    @Test
    void fullAndIncrementalRepairDeliverMissedWritesAndIncrementalRepairWarns() throws Exception {
        for (String kind : List.of("false", "true")) {
            String prefix = kind.equals("true") ? "i_" : "f_";
            List<String> expected = writeWhileTheSecondIsDown(prefix);
            hints("pauseDispatch");
            try {
                second.start();
                Map<String, String> options = Map.of(
                        "incremental",
                        kind,
                        "columnFamilies",
                        String.join(",", MEMTABLES.stream().map(m -> prefix + m).toList()));
                assertThat(Ring.repair(first, "ks", options)).contains("out of sync for " + prefix + "rocksdb");
                assertTheSecondHas(expected, prefix);
                if (kind.equals("false")) {
                    assertThat(Ring.repair(first, "ks", options))
                            .as("data in RocksDB and in sstables has the same hash")
                            .doesNotContain("out of sync");
                }
            } finally {
                hints("deleteAllHints");
                hints("resumeDispatch");
            }
        }
        assertThat(first.logged())
                .contains("incremental repair of ks.i_rocksdb")
                .contains("incremental repair of ks.i_on_first")
                .doesNotContain("incremental repair of ks.i_on_second")
                .doesNotContain("incremental repair of ks.f_rocksdb");
    }

    @Test
    void temporarySstablesOfARepairAreDeletedAndRefreshNeverLoadsThem() throws Exception {
        Ring.create(first, "ks.left", "rocksdb");
        Ring.fill(first.session(), "ks.left", 0, ROWS);
        Ring.repair(first, "ks", Map.of("columnFamilies", "left"));
        assertThat(first.sstables("ks", "left")).as("held by nothing").isNotEmpty();
        first.session().execute("TRUNCATE ks.left");
        Ring.await(
                first,
                "transaction of each temporary sstable, which hides it",
                () -> first.sstables("ks", "left").size()
                        <= first.files("ks", "left", "*_txn_write_*.log").size());
        first.storage("loadNewSSTables", new Object[] {"ks", "left"}, "java.lang.String", "java.lang.String");
        assertThat(Ring.count(first, "ks.left")).as("resurrected by a refresh").isZero();
        Ring.await(first, "no sstable", () -> first.sstables("ks", "left").isEmpty());
        Ring.fill(first.session(), "ks.left", 0, ROWS);
        Ring.repair(first, "ks", Map.of("columnFamilies", "left"));
        first.session().execute("TRUNCATE ks.left");
        first.session().execute("ALTER TABLE ks.left WITH memtable = 'default'");
        first.kill();
        first.start();
        assertThat(first.sstables("ks", "left")).isEmpty();
        assertThat(Ring.count(first, "ks.left")).as("resurrected by a restart").isZero();
    }

    /** Cassandra streams whole sstables, with the mark of a temporary one of the sender. */
    @Test
    void whatARepairStreamsStaysAfterARestartOfTheReceiver() throws Exception {
        List<String> expected = writeWhileTheSecondIsDown("s_");
        hints("pauseDispatch");
        try {
            second.start();
            Ring.repair(first, "ks", Map.of("columnFamilies", "s_rocksdb,s_on_first,s_on_second"));
            // before the ingestion of what was streamed, in most runs
            second.kill();
            second.start();
            assertTheSecondHas(expected, "s_");
            Thread.sleep(12_000);
            assertTheSecondHas(expected, "s_");
        } finally {
            hints("deleteAllHints");
            hints("resumeDispatch");
        }
    }

    /**
     * A read repair happens if the digests of two replicas differ. The stock replica is not flushed, because a flush
     * changes its own digests: it omits deletions that are older than the data it found first.
     */
    @Test
    void replicasInRocksDbAndInStockStorageHaveTheSameDigests() throws Exception {
        long repairs = readRepairs();
        for (long seed = 1; seed <= 6; seed++) {
            Random random = new Random(seed);
            Schema schema = new Schema(random);
            String table = "ks.d_" + seed;
            first.session()
                    .execute(schema.create(seed % 2 == 0 ? "on_first" : "on_second")
                            .formatted(table));
            Statements statements = new Statements(schema, random);
            StringBuilder history = new StringBuilder();
            for (int i = 0; i < 150; i++) {
                if (random.nextInt(30) == 0) {
                    (seed % 2 == 0 ? first : second).flush("ks", table.substring(3));
                    history.append("-- flush\n");
                }
                String statement = random.nextBoolean() ? statements.write() : statements.read();
                history.append(statement).append(";\n");
                try {
                    first.session()
                            .execute(SimpleStatement.newInstance(statement.replace("%s", table))
                                    .setConsistencyLevel(DefaultConsistencyLevel.ALL))
                            .all();
                } catch (com.datastax.oss.driver.api.core.servererrors.InvalidQueryException e) {
                    // some random statements are invalid for their schema
                }
                assertThat(readRepairs())
                        .as("seed %s, after%n%s", seed, history)
                        .isEqualTo(repairs);
            }
        }
    }

    private static long readRepairs() throws IOException {
        return (Long) first.attribute("org.apache.cassandra.metrics:type=ReadRepair,name=RepairedBlocking", "Count");
    }

    @Test
    void concurrentLightweightTransactionsLoseNoIncrement() throws Exception {
        for (String memtable : MEMTABLES) {
            String table = "ks.l_" + memtable;
            Ring.create(first, table, memtable);
            first.session().execute("INSERT INTO " + table + " (p, c, v) VALUES (0, 0, '0') IF NOT EXISTS");
            AtomicInteger applied = new AtomicInteger();
            AtomicInteger unknown = new AtomicInteger();
            List<Thread> clients = List.of(first, second, first).stream()
                    .map(node -> new Thread(() -> increment(node, table, applied, unknown)))
                    .toList();
            clients.forEach(Thread::start);
            for (Thread client : clients) {
                client.join();
            }
            int value = Integer.parseInt(first.session()
                    .execute(SimpleStatement.newInstance("SELECT v FROM " + table + " WHERE p = 0 AND c = 0")
                            .setConsistencyLevel(DefaultConsistencyLevel.SERIAL))
                    .one()
                    .getString(0));
            assertThat(applied.get()).isPositive();
            assertThat(value).isBetween(applied.get(), applied.get() + unknown.get());
        }
    }

    private static void increment(Node node, String table, AtomicInteger applied, AtomicInteger unknown) {
        PreparedStatement set = node.session().prepare("UPDATE " + table + " SET v = ? WHERE p = 0 AND c = 0 IF v = ?");
        String seen = "0";
        for (int i = 0; i < 40; i++) {
            try {
                ResultSet answer = node.session().execute(set.bind(String.valueOf(Integer.parseInt(seen) + 1), seen));
                if (answer.wasApplied()) {
                    applied.incrementAndGet();
                    seen = String.valueOf(Integer.parseInt(seen) + 1);
                } else {
                    seen = answer.one().getString("v");
                }
            } catch (DriverException e) {
                // it may have been applied
                unknown.incrementAndGet();
            }
        }
    }
}
