package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * A cluster of two replicas, one in RocksDB and one in stock storage. Both get the same mutations with the same
 * timestamps from the coordinator. A read at a node returns the rows of its own replica.
 */
final class SoakPair implements AutoCloseable {
    /** The memtable that is the stock one on both nodes. */
    static final String STOCK = "trie";

    /** The others are RocksDB's on the engine's node. */
    static final List<String> MEMTABLES = List.of("on_first", "logged_on_first", STOCK);

    private static final String FIRST = "127.7.1.1";
    private static final String SECOND = "127.7.1.2";
    private static final String HINTS = "org.apache.cassandra.hints:type=HintsService";
    private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
    private static final String TIMEOUTS =
            """

            write_request_timeout: 6s
            counter_write_request_timeout: 6s
            cas_contention_timeout: 6s
            read_request_timeout: 20s
            range_request_timeout: 20s
            """;

    private final Random random;
    private final Node engine;
    private final Node stock;
    private long lastTimestamp;

    SoakPair(Path directory, Random random) throws IOException {
        this.random = random;
        engine = node(
                directory.resolve("engine"),
                FIRST,
                """
                    on_first: {inherits: rocksdb}
                    logged_on_first: {inherits: rocksdb, parameters: {durability: wal}}
                """);
        stock = node(
                directory.resolve("stock"),
                SECOND,
                """
                    on_first: {inherits: trie}
                    logged_on_first: {inherits: trie}
                """);
    }

    /** The heap is allocated at the start, so that other memory shows in the figures of the process. */
    private static Node node(Path directory, String address, String memtables) throws IOException {
        Node node = new Node(directory, address, FIRST, memtables + TIMEOUTS).with("-Xms400m", "-XX:+AlwaysPreTouch");
        Path yaml = directory.resolve("cassandra.yaml");
        Files.writeString(
                yaml, Files.readString(yaml).replace("write_buffers: 16MiB", "write_buffers: 16MiB, purge_delay: 1s"));
        return node;
    }

    SoakPair start() throws Exception {
        engine.start();
        stock.start();
        awaitBothUp();
        engine.session()
                .execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
        engine.session().execute("CREATE TYPE ks.pair (a int, b text)");
        return this;
    }

    Node engine() {
        return engine;
    }

    Node stock() {
        return stock;
    }

    /** A random coordinator. */
    Node either() {
        return random.nextBoolean() ? engine : stock;
    }

    /** The time in microseconds; greater than each one before. */
    long timestamp() {
        lastTimestamp = Math.max(lastTimestamp + 1, System.currentTimeMillis() * 1000);
        return lastTimestamp;
    }

    /** Returns false if the statement timed out: a hint delivers it to a replica that does not have it. */
    static boolean write(Node coordinator, ConsistencyLevel level, String cql) {
        try {
            coordinator
                    .session()
                    .execute(SimpleStatement.newInstance(cql).setConsistencyLevel(level))
                    .all();
            return true;
        } catch (InvalidQueryException | UnavailableException | ReadTimeoutException e) {
            // some random statements are invalid for their schema; the others were not applied
            return true;
        } catch (WriteTimeoutException | CASWriteUnknownException e) {
            return false;
        }
    }

    Thread killLater(long millis) {
        Thread killer = new Thread(() -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            engine.kill();
        });
        killer.start();
        return killer;
    }

    void restartEngine() throws Exception {
        engine.kill();
        engine.start();
        awaitBothUp();
    }

    private void awaitBothUp() throws Exception {
        for (Node node : List.of(engine, stock)) {
            Ring.await(
                    node,
                    "two live nodes",
                    () -> ((List<?>) Objects.requireNonNull(node.attribute(STORAGE, "LiveNodes"))).size() == 2);
        }
        Ring.await(engine, "common schema", () -> schema(engine).equals(schema(stock)));
    }

    private static Object schema(Node node) {
        return Objects.requireNonNull(node.session()
                .execute("SELECT schema_version FROM system.local")
                .one()
                .getUuid(0));
    }

    void hints(String operation) throws IOException {
        stock.call(HINTS, operation, new Object[0]);
    }

    /** Cassandra starts to deliver hints every ten seconds. The figure omits those of a file that is still written. */
    void awaitHints() throws Exception {
        Thread.sleep(12_000);
        for (Node node : List.of(engine, stock)) {
            Ring.await(node, "delivery of all hints", () -> ((List<?>)
                            Objects.requireNonNull(node.attribute(HINTS, "PendingHints")))
                    .isEmpty());
        }
    }

    void repair(List<SoakTable> tables) throws Exception {
        if (!tables.isEmpty()) {
            String names = String.join(",", tables.stream().map(SoakTable::name).toList());
            Ring.repair(either(), "ks", Map.of("columnFamilies", names));
        }
    }

    void clearSnapshots() throws IOException {
        for (Node node : List.of(engine, stock)) {
            Object[] all = {"", new String[] {"ks"}};
            node.storage("clearSnapshot", all, "java.lang.String", "[Ljava.lang.String;");
        }
    }

    /** Reads all of RocksDB's files, and looks for errors of the engine. */
    void assertEngineIsWell() throws Exception {
        engine.call(EngineOperationsMBean.NAME, "verify", new Object[0]);
        Map<?, ?> figures = (Map<?, ?>) Objects.requireNonNull(engine.attribute(EngineOperationsMBean.NAME, "Node"));
        assertThat(figures.get("background_errors")).isEqualTo(0L);
        assertThat(engine.logged().lines()).noneMatch(line -> line.contains(" ERROR ") && line.contains(" i.r.e."));
    }

    @Override
    public void close() {
        engine.close();
        stock.close();
    }
}
