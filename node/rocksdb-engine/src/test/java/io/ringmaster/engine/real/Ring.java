package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Helpers for tests of several nodes. Their tables have rows (p, c, v), four in each partition. */
final class Ring {
    static final int ROWS_PER_PARTITION = 4;
    private static final int IN_FLIGHT = 32;
    private static final long PATIENCE_NANOS = 300_000_000_000L;

    private Ring() {}

    static void create(Node node, String table, String memtable) {
        node.session()
                .execute("CREATE TABLE " + table + " (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = '"
                        + memtable + "' AND speculative_retry = 'NEVER'");
    }

    static void fill(CqlSession session, String table, int from, int to) {
        PreparedStatement insert = session.prepare("INSERT INTO " + table + " (p, c, v) VALUES (?, ?, ?)");
        for (int i = from; i < to; i++) {
            session.execute(insert.bind(i / ROWS_PER_PARTITION, i % ROWS_PER_PARTITION, "v" + i));
        }
    }

    /** Sends statements with few of them unanswered at a time, and returns when all are acknowledged. */
    static void send(Node node, Stream<? extends Statement<?>> statements) {
        Deque<CompletableFuture<?>> unanswered = new ArrayDeque<>();
        statements.forEach(statement -> {
            if (unanswered.size() == IN_FLIGHT) {
                unanswered.remove().join();
            }
            unanswered.add(node.session().executeAsync(statement).toCompletableFuture());
        });
        unanswered.forEach(CompletableFuture::join);
    }

    static long count(Node node, String table) {
        return node.session().execute("SELECT count(*) FROM " + table).one().getLong(0);
    }

    /** The rows in token order, from this replica only, if the node is a replica. */
    static List<String> contents(Node node, String table) {
        return node.session().execute("SELECT p, c, v, writetime(v) FROM " + table).all().stream()
                .map(Row::getFormattedContents)
                .toList();
    }

    /** The rows of a query, or the rows before an error and the error. */
    static List<String> answer(Node node, String cql, int pageSize) {
        List<String> answer = new ArrayList<>();
        try {
            ResultSet rows =
                    node.session().execute(SimpleStatement.newInstance(cql).setPageSize(pageSize));
            for (Row row : rows) {
                answer.add(row.getFormattedContents());
            }
        } catch (DriverException e) {
            answer.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        return answer;
    }

    /** Writes partitions of rows of 2 kB that do not compress, each partition at once to all replicas. */
    static void fillIncompressible(Node node, String table, Random random, int partitions, int rowsEach) {
        PreparedStatement insert = node.session().prepare("INSERT INTO " + table + " (p, c, v) VALUES (?, ?, ?)");
        for (int p = 0; p < partitions; p++) {
            BatchStatement batch =
                    BatchStatement.newInstance(BatchType.UNLOGGED).setConsistencyLevel(DefaultConsistencyLevel.ALL);
            for (int c = 0; c < rowsEach; c++) {
                StringBuilder value = new StringBuilder();
                while (value.length() < 2000) {
                    value.append(Long.toString(random.nextLong(), 36));
                }
                batch = batch.add(insert.bind(p, c, value.toString()));
            }
            node.session().execute(batch);
        }
    }

    static long records(Node node, String table) throws Exception {
        Map<?, ?> tables = (Map<?, ?>) Objects.requireNonNull(node.attribute(EngineOperationsMBean.NAME, "Tables"));
        return (Long) ((Map<?, ?>) Objects.requireNonNull(tables.get(table))).get("records");
    }

    /** Merges, purges and rewrites all data that a table has in RocksDB. */
    static void compact(Node node, String keyspace, String table) throws IOException {
        node.call(
                EngineOperationsMBean.NAME,
                "compact",
                new Object[] {keyspace, table},
                "java.lang.String",
                "java.lang.String");
    }

    /** Compacts the sstables of a table. */
    static void compactSSTables(Node node, String keyspace, String table) throws IOException {
        node.storage(
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[] {table}},
                "boolean",
                "java.lang.String",
                "[Ljava.lang.String;");
    }

    /**
     * Makes the sstables of other tables wait for their ingestion: a node ingests one sstable at a time, and those of
     * the new table take more than a minute. Ends when CompactionThroughputMbPerSec is set to 0.
     */
    static void occupyIngestion(Node node, String table) throws Exception {
        node.session()
                .execute("CREATE TABLE " + table + " (p int PRIMARY KEY, v text)"
                        + " WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
        PreparedStatement insert = node.session().prepare("INSERT INTO " + table + " (p, v) VALUES (?, ?)");
        String mebibyte = "x".repeat(1 << 20);
        send(node, IntStream.range(0, 90).mapToObj(p -> insert.bind(p, mebibyte)));
        node.flush(table.substring(0, table.indexOf('.')));
        node.setAttribute("org.apache.cassandra.db:type=StorageService", "CompactionThroughputMbPerSec", 1);
        node.session().execute("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
        String running = "columnfamily=" + table.substring(table.indexOf('.') + 1);
        await(node, "ingestion", () -> new Gauges(node).compactions().contains(running));
    }

    /** Repairs a keyspace and returns the log of the repair. */
    static String repair(Node node, String keyspace, Map<String, String> options) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("incremental", "false", "parallelism", "parallel"));
        all.putAll(options);
        int start = node.logged().length();
        Object number = node.storage("repairAsync", new Object[] {keyspace, all}, "java.lang.String", "java.util.Map");
        String end = "Repair command #" + number + " finished";
        await(node, end, () -> node.logged().contains(end));
        String logged = node.logged().substring(start);
        assertThat(logged).doesNotContain(end + " with error");
        return logged;
    }

    static void awaitDown(Node by, String address) throws Exception {
        await(by, address + " to be seen down", () -> ((List<?>) Objects.requireNonNull(
                        by.attribute("org.apache.cassandra.db:type=StorageService", "UnreachableNodes")))
                .contains(address));
    }

    static void await(Node node, String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no " + what + " within 300 s:\n" + node.tail());
            }
            Thread.sleep(300);
        }
    }

    interface Condition {
        boolean holds() throws Exception;
    }
}
