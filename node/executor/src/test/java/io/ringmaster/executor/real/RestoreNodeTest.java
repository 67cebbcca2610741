package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
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

/**
 * One real Cassandra with every kind of schema element is backed up into a folder, and restored into an empty one:
 * schema text, rows and what indexes and views find are the same.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(600)
class RestoreNodeTest {
    private static final String ADDRESS = "127.7.1.5";
    private static final String BACKUP = "20261124T040000Z-3f9c";
    private static final String INCARNATION = "dc1-1-00ff";
    private static final String SOURCE = "dc1.node-0";

    @TempDir
    Path directory;

    private SeedServer seeds;
    private Path program;
    private Path engine;
    private Path triggers;
    private Path locations;

    @BeforeEach
    void prepare() throws IOException {
        seeds = new SeedServer();
        program = CassandraJars.transfer(directory.resolve("transfer"));
        engine = CassandraJars.engine(directory.resolve("engine"));
        CassandraJars.add(SilentTrigger.class, engine);
        triggers = Files.createDirectories(directory.resolve("triggers"));
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
            target = restored(node, restored(node, target));
            assertThat(node.files().volume().resolve("restore/" + BACKUP + "/stock"))
                    .as("files that are imported")
                    .doesNotExist();
            node.put(target.next().created().target());
            node.await("open to clients", RealNode.OPEN);

            Map<String, List<String>> expected = new LinkedHashMap<>();
            before.forEach((query, rows) -> expected.put(query, query.startsWith("DESCRIBE") ? raised(rows) : rows));
            assertThat(rows(SchemaKinds.queries())).containsExactlyEntriesOf(expected);
            execute(SchemaKinds.later());
            assertThat(rows(SchemaKinds.laterQueries()).values())
                    .as("indexes and views follow writes, counters go on")
                    .containsExactlyElementsOf(SchemaKinds.laterRows());
        }
    }

    /** The schema with the raised grace, and none where there was none. */
    private static List<String> raised(List<String> schema) {
        return schema.stream()
                .map(text -> text.replace("gc_grace_seconds = 864000", "gc_grace_seconds = 865000"))
                .toList();
    }

    /** The four tasks in Cassandra, in the order of a restore; a second time they change nothing. */
    private static TestTargets restored(RealNode node, TestTargets target) throws Exception {
        Map<String, String> grace = Map.of("grace_seconds", "1000", "indexes", "later");
        TestTargets schema = task(node, target, Kind.RESTORE_SCHEMA, grace, ".* raised by 1000");
        TestTargets rows = task(node, schema, Kind.RESTORE_IMPORT, Map.of(), ".* of \\d+ tables imported");
        TestTargets indexes = task(node, rows, Kind.RESTORE_INDEXES, grace, "14 indexes and views are made");
        return task(node, indexes, Kind.RESTORE_BUILDS, Map.of(), "14 of 14 indexes and views are built here");
    }

    /** Returns the rows that the backup has, by query. */
    private Map<String, List<String>> backUp() throws Exception {
        TestTargets target = first();
        try (RealNode node = start("first", target)) {
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            target = target.next().created();
            node.put(target.target());
            node.await("open to clients", RealNode.OPEN);
            execute(SchemaKinds.statements());
            Map<String, List<String>> rows = rows(SchemaKinds.queries());
            target = task(
                    node,
                    target,
                    Kind.BACKUP_SNAPSHOT,
                    Map.of(),
                    "a snapshot of \\d+ tables; a restore does not make trigger log of stock.plain");
            execute(List.of("INSERT INTO stock.plain (k, c, v) VALUES (9, 9, 'after the backup')"));
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
        yaml.put("user_defined_functions_enabled", true);
        return TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, yaml)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE, "-Dcassandra.triggers_dir=" + triggers);
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
            statements.forEach(statement -> {
                try {
                    session.execute(statement);
                } catch (DriverException e) {
                    throw new AssertionError(statement, e);
                }
            });
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
