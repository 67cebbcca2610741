package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory outside of the heap, while tables are created, written, read and dropped. */
@Tag("cassandra")
@Tag("long")
@Timeout(1800)
class MemoryTest {
    private static final long MEBIBYTE = 1 << 20;

    /** As {@link Configuration} sets it; includes the write buffers. */
    private static final long BLOCK_CACHE = 32 * MEBIBYTE;

    /** Blocks in use cannot be evicted, and the limit is not strict, or reads would fail at it. 1.2 MiB were seen. */
    private static final long IN_USE = 4 * MEBIBYTE;

    /** The allowance of docs/engine.md for Cassandra and the JVM, besides the heap and the block cache. */
    private static final long ALLOWANCE = 350 * MEBIBYTE;

    private static final long HEAP = 400 * MEBIBYTE;
    private static final int ROUNDS = Integer.getInteger("engine.rounds", 6);
    private static final int TABLES = 4;
    private static final int BATCHES = 150;
    private static final int ROWS_PER_BATCH = 20;

    private static final Path JEMALLOC = Path.of("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2");

    @TempDir
    Path directory;

    @Test
    void memoryStaysWithinItsBudgetWhileTablesAreCreatedAndDropped() throws Exception {
        holds(new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1").alone());
    }

    @Test
    void memoryStaysWithinItsBudgetWithJemalloc() throws Exception {
        assumeThat(JEMALLOC).as("Debian's libjemalloc2").exists();
        holds(new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1")
                .alone()
                .preload(JEMALLOC));
    }

    private static void holds(Node stopped) throws Exception {
        try (Node node = stopped.with("-Xms400m", "-XX:+AlwaysPreTouch").start()) {
            node.session()
                    .execute("CREATE KEYSPACE ks WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
            Map<String, Long> most = new TreeMap<>();
            System.out.println("anonymous_bytes before: " + node.anonymousBytes());
            for (int round = 0; round < ROUNDS; round++) {
                churn(node, round, most);
                System.out.println("round " + round + ": " + most);
            }
            assertThat(most.get("block_cache_bytes"))
                    .as("used, and within its limit")
                    .isBetween(BLOCK_CACHE / 2, BLOCK_CACHE + IN_USE);
            assertThat(most.get("write_buffer_bytes")).isBetween(MEBIBYTE, BLOCK_CACHE);
            assertThat(most.get("table_reader_bytes"))
                    .as("indexes and filters are in the block cache")
                    .isLessThan(MEBIBYTE);
            assertThat(most.get("anonymous_bytes")).isLessThan(HEAP + BLOCK_CACHE + ALLOWANCE);
        }
    }

    private static void churn(Node node, int round, Map<String, Long> most) throws Exception {
        List<CompletableFuture<?>> writers = new ArrayList<>();
        for (int t = 0; t < TABLES; t++) {
            String table = "ks.t" + round + "_" + t;
            Ring.create(node, table, "rocksdb");
            writers.add(CompletableFuture.runAsync(
                    () -> Ring.fillIncompressible(node, table, new Random(1), BATCHES, ROWS_PER_BATCH)));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(writers.toArray(new CompletableFuture<?>[0]));
        while (!all.isDone()) {
            measure(node, most);
        }
        all.join();
        for (int t = 0; t < TABLES; t++) {
            String table = "ks.t" + round + "_" + t;
            readAll(node, table);
            measure(node, most);
            node.session().execute("DROP TABLE " + table);
        }
        measure(node, most);
    }

    /** Reads by key, because scans do not fill the block cache. */
    private static void readAll(Node node, String table) {
        PreparedStatement select = node.session().prepare("SELECT v FROM " + table + " WHERE p = ?");
        for (int p = 0; p < BATCHES; p++) {
            assertThat(node.session().execute(select.bind(p)).all()).hasSize(ROWS_PER_BATCH);
        }
    }

    private static void measure(Node node, Map<String, Long> most) throws Exception {
        Map<?, ?> now = (Map<?, ?>) Objects.requireNonNull(node.attribute(EngineOperationsMBean.NAME, "Node"));
        for (String name : List.of("block_cache_bytes", "write_buffer_bytes", "table_reader_bytes")) {
            most.merge(name, (Long) now.get(name), Math::max);
        }
        most.merge("anonymous_bytes", node.anonymousBytes(), Math::max);
    }
}
