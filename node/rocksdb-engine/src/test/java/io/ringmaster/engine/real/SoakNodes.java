package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Two clusters that get the same statements. One has a node with the engine, and in a second datacenter a replica for
 * the tables of one keyspace. The other is a stock node, which is never killed. Statements wait for the engine's node
 * only, and there are no hints, so that no timing between nodes decides what a read returns.
 */
final class SoakNodes implements AutoCloseable {
    /** The keyspace without a replica in the second datacenter. */
    static final String ALONE = "alone";

    static final String REPLICATED = "replicated";

    private static final String ENGINE_ADDRESS = "127.7.1.1";
    private static final String STOCK_ADDRESS = "127.7.1.3";
    private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
    private static final long PATIENCE_NANOS = 300_000_000_000L;

    /** Times that the servers chose, of lightweight transactions. */
    private static final Pattern CLOCK = Pattern.compile("\\b1[0-9]{15}\\b");

    /** Caches outside of the heap are small, so that they are full before memory is measured. */
    private static final String SETTINGS =
            """

            hinted_handoff_enabled: false
            write_request_timeout: 20s
            counter_write_request_timeout: 20s
            cas_contention_timeout: 20s
            read_request_timeout: 20s
            range_request_timeout: 20s
            file_cache_size: 8MiB
            networking_cache_size: 8MiB
            """;

    private final Node engine;
    private final Node replica;
    private final Node stock;

    SoakNodes(Path directory) throws IOException {
        engine = node(directory.resolve("engine"), ENGINE_ADDRESS, ENGINE_ADDRESS, "rocksdb");
        replica = node(directory.resolve("replica"), "127.7.1.2", ENGINE_ADDRESS, SoakMemtable.STOCK)
                .in("datacenter2");
        stock = node(directory.resolve("stock"), STOCK_ADDRESS, STOCK_ADDRESS, "rocksdb")
                .alone();
    }

    /** The heap is allocated at the start, so that the figures of the process show other memory. */
    private static Node node(Path directory, String address, String seed, String inherited) throws IOException {
        String logged = "    logged: {inherits: " + inherited
                + (inherited.equals(SoakMemtable.STOCK) ? "}" : ", parameters: {durability: wal}}");
        Node node = new Node(directory, address, seed, logged + SETTINGS).with("-Xms400m", "-XX:+AlwaysPreTouch");
        Path yaml = directory.resolve("cassandra.yaml");
        Files.writeString(
                yaml, Files.readString(yaml).replace("write_buffers: 16MiB", "write_buffers: 16MiB, purge_delay: 1s"));
        return node;
    }

    SoakNodes start() throws Exception {
        for (Node node : List.of(engine, replica, stock)) {
            node.start();
        }
        awaitRing();
        for (Node node : List.of(engine, stock)) {
            for (String keyspace : List.of(ALONE, REPLICATED)) {
                boolean hasReplica = keyspace.equals(REPLICATED) && node.equals(engine);
                repeat(
                        node,
                        "CREATE KEYSPACE IF NOT EXISTS " + keyspace
                                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1"
                                + (hasReplica ? ", 'datacenter2': 1}" : "}"));
                repeat(node, "CREATE TYPE IF NOT EXISTS " + keyspace + ".pair (a int, b text)");
            }
        }
        return this;
    }

    Node engine() {
        return engine;
    }

    Node replica() {
        return replica;
    }

    Node stock() {
        return stock;
    }

    /**
     * Rows, or why the statement is invalid for its schema. Empty if the node did not answer, timed out or failed: it
     * may have applied the statement.
     */
    static Optional<List<String>> answer(Node node, String cql, int pageSize) {
        List<String> answer = new ArrayList<>();
        try {
            for (Row row : node.session()
                    .execute(SimpleStatement.newInstance(cql)
                            .setPageSize(pageSize)
                            .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL))) {
                answer.add(CLOCK.matcher(row.getFormattedContents()).replaceAll("now"));
            }
        } catch (QueryValidationException e) {
            answer.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        } catch (DriverException | IllegalStateException e) {
            // the node is down, or busy
            return Optional.empty();
        }
        return Optional.of(answer);
    }

    /** Sends a statement, which may be applied more than once, until the node answers it. */
    static List<String> repeat(Node node, String cql) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            Optional<List<String>> answer = answer(node, cql, 5000);
            if (answer.isPresent()) {
                return answer.get();
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no answer within 300 s to " + cql + "\n" + node.tail());
            }
            Thread.sleep(300);
        }
    }

    void restartEngine() throws Exception {
        engine.kill();
        engine.start();
        awaitRing();
    }

    void restartReplica() throws Exception {
        replica.kill();
        replica.start();
        awaitRing();
    }

    private void awaitRing() throws Exception {
        for (Node node : List.of(engine, replica)) {
            Ring.await(
                    node,
                    "two live nodes",
                    () -> ((List<?>) Objects.requireNonNull(node.attribute(STORAGE, "LiveNodes"))).size() == 2);
        }
        String version = "SELECT schema_version FROM system.local";
        Ring.await(engine, "common schema", () -> answer(engine, version, 1).equals(answer(replica, version, 1)));
    }

    void repair(Node by, List<String> tables) throws Exception {
        Ring.repair(by, REPLICATED, Map.of("columnFamilies", String.join(",", tables)));
    }

    void clearSnapshots() throws IOException {
        for (Node node : List.of(engine, replica, stock)) {
            Object[] all = {"", new String[] {ALONE, REPLICATED}};
            node.storage("clearSnapshot", all, "java.lang.String", "[Ljava.lang.String;");
        }
    }

    /** Reads all of RocksDB's files, and looks for errors of the engine in the logs of all starts. */
    void assertEngineIsWell() throws Exception {
        for (Node node : List.of(engine, replica)) {
            node.call(EngineOperationsMBean.NAME, "verify", new Object[0]);
            Map<?, ?> figures = (Map<?, ?>) Objects.requireNonNull(node.attribute(EngineOperationsMBean.NAME, "Node"));
            assertThat(figures.get("background_errors")).isEqualTo(0L);
            try (DirectoryStream<Path> logs = Files.newDirectoryStream(node.directory(), "log-*")) {
                for (Path log : logs) {
                    assertThat(Files.readAllLines(log))
                            .as(log.toString())
                            .noneMatch(line -> line.contains(" ERROR ") && !line.contains("StartupChecks"));
                }
            }
        }
    }

    @Override
    public void close() {
        engine.close();
        replica.close();
        stock.close();
    }
}
