package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Extreme use of one real node: many deletions, tables, updates of a row, migrations, and unread iterators. */
@Tag("cassandra")
@Tag("long")
@Timeout(600)
class EdgesTest {
    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    static Path directory;

    private static Node node;
    private static Gauges gauges;

    @BeforeAll
    static void start() throws Exception {
        String patient = Stream.of("read", "range", "write", "counter_write")
                .map(kind -> kind + "_request_timeout: 60s")
                .collect(Collectors.joining("\n"));
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", patient)
                .alone()
                .start();
        gauges = new Gauges(node);
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    @AfterEach
    void unthrottle() throws IOException {
        throttle(0);
    }

    @AfterAll
    static void end() {
        node.close();
    }

    /** @param mebibytes that compactions and ingestions read each second; 0 for no limit */
    private static void throttle(int mebibytes) throws IOException {
        node.setAttribute("org.apache.cassandra.db:type=StorageService", "CompactionThroughputMbPerSec", mebibytes);
    }

    private static List<Row> cql(String statement) {
        return node.session().execute(statement).all();
    }

    @Test
    void aReadOfAPartitionWithThousandsOfRangeDeletionsAnswersSoonAndCorrectly() throws Exception {
        int ranges = 2000;
        for (String memtable : List.of("trie", "rocksdb")) {
            String table = "ks.ranges_" + memtable;
            cql("CREATE TABLE " + table + " (k int, a int, b int, v int, PRIMARY KEY (k, a, b)) WITH memtable = '"
                    + memtable + "'");
            PreparedStatement insert = node.session()
                    .prepare("INSERT INTO " + table + " (k, a, b, v) VALUES (1, ?, ?, ?) USING TIMESTAMP ?");
            PreparedStatement delete =
                    node.session().prepare("DELETE FROM " + table + " USING TIMESTAMP ? WHERE k = 1 AND a = ?");
            node.session().execute(insert.bind(99_999, 0, 7, 1L));
            Ring.send(node, IntStream.range(0, ranges).mapToObj(a -> insert.bind(a, a % 3, a, 1000L)));
            Ring.send(node, IntStream.range(0, ranges).mapToObj(a -> delete.bind(2000L + a % 5, a)));
            long start = System.nanoTime();
            assertThat(cql("SELECT v FROM " + table + " WHERE k = 1 AND a = 99999 AND b = 0"))
                    .hasSize(1);
            assertThat((System.nanoTime() - start) / 1_000_000)
                    .as("milliseconds of a read of %s", table)
                    .isLessThan(10_000);
            // some before and some after the deletion of their range
            Ring.send(node, IntStream.range(0, ranges).mapToObj(a -> insert.bind(a, 3, -a, 1998L + a % 7)));
        }
        Function<String, List<String>> rows =
                memtable -> cql("SELECT a, b, v, writetime(v) FROM ks.ranges_" + memtable + " WHERE k = 1").stream()
                        .map(Row::getFormattedContents)
                        .toList();
        assertThat(rows.apply("rocksdb")).hasSizeBetween(100, ranges).isEqualTo(rows.apply("trie"));
        String table = "ks.ranges_rocksdb";
        assertThat(gauges.ofTable(table, "files_bytes") + gauges.ofTable(table, "memory_bytes"))
                .as("bytes of %d ranges", ranges)
                .isLessThan(16 * MEBIBYTE);
    }

    @Test
    void writesToOneOfManyTablesDoNotFlushTheOthers() throws Exception {
        int tables = 80;
        IntStream.range(0, tables)
                .forEach(i ->
                        cql("CREATE TABLE ks.many" + i + " (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'"));
        Ring.send(
                node,
                IntStream.range(0, tables)
                        .mapToObj(i ->
                                SimpleStatement.newInstance("INSERT INTO ks.many" + i + " (k, v) VALUES (1, 'v')")));
        long before = gauges.flushes();
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.many40 (k, v) VALUES (?, ?)");
        Ring.send(node, IntStream.range(0, 1000).mapToObj(k -> insert.bind(k, "v" + k)));
        assertThat(Ring.count(node, "ks.many40")).isEqualTo(1000);
        assertThat(gauges.flushes() - before)
                .as("flushes during 1000 writes, at most one of each table for other reasons")
                .isLessThan(tables + 20);
    }

    @Test
    void aReadOfACounterStaysFastAfterThousandsOfUpdates() {
        int updates = 30_000;
        cql("CREATE TABLE ks.counters (k int PRIMARY KEY, n counter) WITH memtable = 'rocksdb'");
        PreparedStatement select = node.session().prepare("SELECT n FROM ks.counters WHERE k = ?");
        PreparedStatement add = node.session().prepare("UPDATE ks.counters SET n = n + 1 WHERE k = ?");
        Ring.send(node, IntStream.range(0, 1000).mapToObj(i -> add.bind(1)));
        node.session().execute(add.bind(2));
        long first = gauges.medianMicros(select.bind(1));
        Ring.send(node, IntStream.range(1000, updates).mapToObj(i -> add.bind(1)));
        long last = gauges.medianMicros(select.bind(1));
        // of another row at the same time, because other processes may be slower or faster than before
        long other = gauges.medianMicros(select.bind(2));
        assertThat(last)
                .as("microseconds; after 1000 updates %d, of another counter %d", first, other)
                .isLessThan(5 * Math.max(2000, Math.max(first, other)));
        assertThat(cql("SELECT n FROM ks.counters WHERE k = 1").get(0).getLong(0))
                .isEqualTo(updates);
    }

    @Test
    void migrationsInAndOutDuringWritesAndFlushesLoseNoRow() throws Exception {
        Ring.create(node, "ks.toggled", "rocksdb");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.toggled (p, c, v) VALUES (?, 0, 'v')");
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Integer> writes = CompletableFuture.supplyAsync(() -> {
            int written = 0;
            while (!isOver.get()) {
                int from = written;
                Ring.send(node, IntStream.range(from, from + 50).mapToObj(insert::bind));
                written += 50;
            }
            return written;
        });
        CompletableFuture<Void> flushes = CompletableFuture.runAsync(() -> {
            try {
                while (!isOver.get()) {
                    node.flush("ks", "toggled");
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        // so that migrations meet ingestions that wait and that run
        throttle(1);
        for (int i = 1; i <= 60; i++) {
            cql("ALTER TABLE ks.toggled WITH memtable = '" + (i % 2 == 0 ? "rocksdb" : "trie") + "'");
        }
        isOver.set(true);
        flushes.get();
        int written = writes.get();
        assertThat(Ring.count(node, "ks.toggled")).isEqualTo(written);
        throttle(0);
        Ring.await(node, "end of the ingestion", () -> node.sstables("ks", "toggled")
                .isEmpty());
        assertThat(Ring.count(node, "ks.toggled")).as("in RocksDB").isEqualTo(written);
    }

    /** A compaction asks for each partition with an old deletion whether a memtable has the partition, too. */
    @Test
    void aCompactionOfSstablesThatWaitForTheirIngestionPinsNothing() throws Exception {
        int partitions = 3000;
        cql("CREATE TABLE ks.waits (p int, c int, v text, PRIMARY KEY (p, c)) WITH gc_grace_seconds = 1"
                + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.waits (p, c, v) VALUES (?, ?, ?)");
        PreparedStatement delete = node.session().prepare("DELETE FROM ks.waits WHERE p = ? AND c = 0");
        for (int i = 0; i < 4; i++) {
            int from = i * partitions / 4;
            Ring.send(node, IntStream.range(from, from + partitions / 4).mapToObj(p -> insert.bind(p, 0, "deleted")));
            Ring.send(node, IntStream.range(from, from + partitions / 4).mapToObj(delete::bind));
            node.flush("ks", "waits");
        }
        long deleted = System.currentTimeMillis();
        Ring.occupyIngestion(node, "ks.slow");
        cql("ALTER TABLE ks.waits WITH memtable = 'rocksdb'");
        Ring.send(node, IntStream.range(0, partitions).mapToObj(p -> insert.bind(p, 1, "v".repeat(1500))));
        node.flush("ks", "waits");
        Ring.await(node, "end of gc_grace", () -> System.currentTimeMillis() > deleted + 3000);
        long pinned = gauges.ofNode("block_cache_pinned_bytes");
        Ring.compactSSTables(node, "ks", "waits");
        assertThat(node.logged()).containsPattern("Compacted \\(\\S+\\) 4 sstables to \\[\\S*ks/waits-");
        Ring.await(
                node,
                "release of what the compaction pinned",
                () -> gauges.ofNode("block_cache_pinned_bytes") < pinned + MEBIBYTE);
        throttle(0);
        Ring.await(
                node, "end of the ingestion", () -> node.sstables("ks", "waits").isEmpty());
        Ring.compact(node, "ks", "waits");
        Ring.await(
                node,
                "removal of the files before the compaction",
                () -> gauges.ofTable("ks.waits", "files_bytes") < 1.5 * gauges.ofTable("ks.waits", "live_bytes"));
        assertThat(Ring.count(node, "ks.waits")).isEqualTo(partitions);
    }
}
