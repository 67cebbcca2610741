package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.JvmSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real Cassandra with a table of each kind is backed up into a folder, and restored into an empty one. */
@Tag("cassandra")
@Timeout(600)
class RestoreNodeTest {
    private static final String ADDRESS = "127.7.1.5";
    private static final String BACKUP = "20261124T040000Z-3f9c";
    private static final String INCARNATION = "dc1-1-00ff";
    private static final String SOURCE = "dc1.node-0";

    private static final List<String> SCHEMA_AND_ROWS = List.of(
            "CREATE KEYSPACE ks WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}",
            "CREATE TABLE ks.plain (k int, c int, v text, gone text, back int, PRIMARY KEY (k, c))",
            "INSERT INTO ks.plain (k, c, v, gone, back) VALUES (1, 1, 'a', 'x', 1) USING TIMESTAMP 1700000000000000",
            "INSERT INTO ks.plain (k, c, v) VALUES (1, 2, 'b') USING TTL 1000000",
            "DELETE FROM ks.plain WHERE k = 2",
            "ALTER TABLE ks.plain DROP gone",
            "ALTER TABLE ks.plain DROP back",
            "ALTER TABLE ks.plain ADD back int",
            "INSERT INTO ks.plain (k, c, back) VALUES (3, 1, 7)",
            "CREATE TYPE ks.address (street text, number int)",
            "CREATE TABLE ks.mixed (k int, c int, s text static, l list<int>, m map<text, int>, a frozen<address>,"
                    + " PRIMARY KEY (k, c))",
            "INSERT INTO ks.mixed (k, c, s, l, m, a) VALUES (1, 1, 'all', [3, 1], {'x': 1}, {street: 'A', number: 2})",
            "INSERT INTO ks.mixed (k, s) VALUES (2, 'alone')",
            "UPDATE ks.mixed SET l = l + [4] WHERE k = 1 AND c = 1",
            "CREATE TABLE ks.counts (k int PRIMARY KEY, n counter)",
            "UPDATE ks.counts SET n = n + 5 WHERE k = 1",
            "UPDATE ks.counts SET n = n + 2 WHERE k = 1",
            "CREATE TABLE ks.attached (k int PRIMARY KEY, city text)",
            "CREATE INDEX attached_city ON ks.attached (city) USING 'sai'",
            "INSERT INTO ks.attached (k, city) VALUES (1, 'bonn')",
            "INSERT INTO ks.attached (k, city) VALUES (2, 'ulm')",
            "CREATE TABLE ks.legacy (k int PRIMARY KEY, city text)",
            "CREATE INDEX legacy_city ON ks.legacy (city)",
            "INSERT INTO ks.legacy (k, city) VALUES (1, 'bonn')",
            "CREATE MATERIALIZED VIEW ks.by_city AS SELECT * FROM ks.legacy WHERE city IS NOT NULL AND k IS NOT NULL"
                    + " PRIMARY KEY (city, k)",
            "INSERT INTO ks.legacy (k, city) VALUES (2, 'bonn')",
            "CREATE TABLE ks.engine (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'",
            "INSERT INTO ks.engine (k, v) VALUES (1, 'in RocksDB')",
            "CREATE KEYSPACE \"Upper\" WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}",
            "CREATE TABLE \"Upper\".\"Case\" (\"Key\" int PRIMARY KEY, \"Value\" text)"
                    + " WITH gc_grace_seconds = 0 AND comment = 'it''s; gc_grace_seconds = 5'",
            "INSERT INTO \"Upper\".\"Case\" (\"Key\", \"Value\") VALUES (1, 'V')");

    private static final List<String> QUERIES = List.of(
            "SELECT k, c, v, back, writetime(v) FROM ks.plain",
            "SELECT * FROM ks.mixed",
            "SELECT * FROM ks.counts",
            "SELECT * FROM ks.attached WHERE city = 'bonn'",
            "SELECT * FROM ks.legacy WHERE city = 'bonn'",
            "SELECT * FROM ks.by_city WHERE city = 'bonn'",
            "SELECT * FROM ks.engine",
            "SELECT * FROM \"Upper\".\"Case\"",
            "SELECT keyspace_name, table_name, id, comment FROM system_schema.tables WHERE keyspace_name IN"
                    + " ('ks', 'Upper')",
            "SELECT * FROM system_schema.dropped_columns WHERE keyspace_name = 'ks'");

    @TempDir
    Path directory;

    private SeedServer seeds;
    private Path program;
    private Path engine;
    private Path locations;

    @BeforeEach
    void prepare() throws IOException {
        seeds = new SeedServer();
        program = CassandraJars.transfer(directory.resolve("transfer"));
        engine = CassandraJars.engine(directory.resolve("engine"));
        locations = Files.createDirectories(directory.resolve("locations"));
        Path store = Files.createDirectories(directory.resolve("store"));
        Files.createFile(store.resolve("ringmaster+location")); // as `backup location add` does
        Path location = Files.writeString(locations.resolve("main.yaml"), "url: file://" + store + "\n");
        Files.setPosixFilePermissions(location, PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void end() {
        seeds.close();
    }

    @Test
    void aBackupIsRestoredIntoAnEmptyNode() throws Exception {
        Map<String, List<String>> before = backUp();
        TestTargets target = first();
        try (RealNode node = start("second", target)) {
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            target = transfer(node, target, Kind.RESTORE_FETCH, Map.of("source", SOURCE, "manifest", manifest()));
            target = task(node, target, Kind.RESTORE_SCHEMA, Map.of("grace_seconds", "1000"), ".* raised by 1000");
            target = task(node, target, Kind.RESTORE_IMPORT, Map.of(), ".* of \\d+ tables imported");
            target = task(node, target, Kind.RESTORE_SCHEMA, Map.of("grace_seconds", "1000"), ".* raised by 1000");
            target = task(node, target, Kind.RESTORE_IMPORT, Map.of(), ".* of \\d+ tables imported");
            assertThat(node.files().volume().resolve("restore/" + BACKUP + "/ks"))
                    .as("files that are imported")
                    .doesNotExist();
            node.put(target.next().created().target());
            node.await("open to clients", RealNode.OPEN);

            assertThat(rows(QUERIES)).containsExactlyEntriesOf(before);
            assertThat(rows(List.of(grace("ks", "plain"), grace("Upper", "Case")))
                            .values())
                    .as("the raised grace, and none where there was none")
                    .containsExactly(List.of("[gc_grace_seconds:865000]"), List.of("[gc_grace_seconds:0]"));
            execute(List.of(
                    "UPDATE ks.counts SET n = n + 1 WHERE k = 1",
                    "INSERT INTO ks.attached (k, city) VALUES (3, 'ulm')",
                    "INSERT INTO ks.legacy (k, city) VALUES (3, 'ulm')"));
            assertThat(rows(List.of(
                                    "SELECT n FROM ks.counts",
                                    "SELECT k FROM ks.attached WHERE city = 'ulm'",
                                    "SELECT k FROM ks.by_city WHERE city = 'ulm'"))
                            .values())
                    .containsExactly(List.of("[n:8]"), List.of("[k:2]", "[k:3]"), List.of("[k:3]"));
        }
    }

    /** Returns the rows that the backup has, by query. */
    private Map<String, List<String>> backUp() throws Exception {
        TestTargets target = first();
        try (RealNode node = start("first", target)) {
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            target = target.next().created();
            node.put(target.target());
            node.await("open to clients", RealNode.OPEN);
            execute(SCHEMA_AND_ROWS);
            Map<String, List<String>> rows = rows(QUERIES);
            target = task(node, target, Kind.BACKUP_SNAPSHOT, Map.of(), "a snapshot of \\d+ tables");
            execute(List.of("INSERT INTO ks.plain (k, c, v) VALUES (9, 9, 'after the backup')"));
            target = transfer(node, target, Kind.BACKUP_UPLOAD, Map.of());
            transfer(
                    node,
                    target,
                    Kind.BACKUP_COMMIT,
                    Map.of("nodes", SOURCE, "datacenters", "dc1", "spec", "name: rides"));
            return rows;
        }
    }

    private TestTargets first() {
        Map<String, Object> yaml = new LinkedHashMap<>(EngineNodeTest.ENGINE);
        yaml.put("materialized_views_enabled", true);
        return TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, yaml)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
    }

    private RealNode start(String name, TestTargets target) throws IOException {
        RealNode node = RealNode.in(Files.createDirectories(directory.resolve(name)), ADDRESS, target.target());
        node.installEngine(engine);
        node.installTransfer(program, locations);
        node.startExecutor();
        return node;
    }

    /** The hash of the manifest of the node, as the manifest of the cluster has it. */
    private String manifest() throws IOException {
        Path file = directory.resolve("store/rides/" + INCARNATION + "/backups/" + BACKUP + ".json");
        return Json.mapper()
                .readTree(file.toFile())
                .path("nodes")
                .path(0)
                .path("manifest")
                .asText();
    }

    private static String grace(String keyspace, String table) {
        return "SELECT gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = '" + keyspace
                + "' AND table_name = '" + table + "'";
    }

    /** Runs a task of Cassandra to its end; returns the target that had it. */
    private static TestTargets task(
            RealNode node, TestTargets target, Kind kind, Map<String, String> more, String outcome) throws Exception {
        Map<String, String> args = new LinkedHashMap<>(Map.of("backup", BACKUP));
        args.putAll(more);
        TestTargets wanted = target.task(kind, args);
        NodeTask task = Objects.requireNonNull(wanted.target().task());
        assertThat(run(node, wanted, task, NodeStatus::task)).matches(outcome);
        return wanted;
    }

    /** Runs a piece of work of the transfer program to its end; returns the target that had it. */
    private static TestTargets transfer(RealNode node, TestTargets target, Kind kind, Map<String, String> more)
            throws Exception {
        Map<String, String> args = new LinkedHashMap<>(
                Map.of("to", "main", "cluster", "rides", "incarnation", INCARNATION, "backup", BACKUP));
        args.putAll(more);
        NodeTask task = new NodeTask("transfer-" + kind, kind, args);
        TestTargets wanted = target.next().with("transfer", task);
        assertThat(run(node, wanted, task, NodeStatus::transfer)).isNotEmpty();
        return wanted;
    }

    /** Returns the outcome. */
    private static String run(
            RealNode node, TestTargets wanted, NodeTask task, Function<NodeStatus, @Nullable TaskStatus> slot)
            throws Exception {
        assertThat(node.put(wanted.target()).statusCode()).isEqualTo(200);
        TaskStatus ended = Objects.requireNonNull(slot.apply(node.await(task.kind() + " to end", s -> {
            TaskStatus status = slot.apply(s);
            return status != null
                    && status.id().equals(task.id())
                    && status.state().isOver();
        })));
        assertThat(ended.state()).as(ended.message()).isEqualTo(TaskStatus.State.DONE);
        return ended.message();
    }

    private static CqlSession session() {
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(ADDRESS, 9042))
                .withLocalDatacenter("dc1")
                .build();
    }

    private static void execute(List<String> statements) {
        try (CqlSession session = session()) {
            statements.forEach(session::execute);
        }
    }

    private static Map<String, List<String>> rows(List<String> queries) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        try (CqlSession session = session()) {
            for (String query : queries) {
                List<String> found = new ArrayList<>();
                for (Row row : session.execute(query)) {
                    found.add(row.getFormattedContents());
                }
                rows.put(query, found);
            }
        }
        return rows;
    }
}
