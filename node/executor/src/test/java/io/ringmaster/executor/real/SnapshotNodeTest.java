package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.JvmSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The snapshot of a backup, taken by one real Cassandra with tables of both engines. */
@Tag("cassandra")
@Timeout(600)
class SnapshotNodeTest {
    private static final String ADDRESS = "127.7.1.4";
    private static final String HELD_ADDRESS = "127.7.1.6";
    /** One flush holds up all others. The jars of the engine's directory are there only for a spec with the engine. */
    private static final Map<String, Object> HELD = Map.of(
            "memtable_flush_writers",
            1,
            "memtable",
            Map.of(
                    "configurations",
                    Map.of(
                            "rocksdb",
                            EngineNodeTest.ROCKSDB,
                            "held",
                            Map.of("class_name", HeldMemtable.class.getName()))));

    @TempDir
    Path directory;

    /** A snapshot of Cassandra alone does not wait for a memtable that is being flushed, if the next one is empty. */
    @Test
    void aSnapshotHasTheRowsWhoseFlushIsAtWorkOrHasNotStarted() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, HELD)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (RealNode node = RealNode.in(directory, HELD_ADDRESS, target.target())) {
            Path jars = CassandraJars.engine(directory.resolve("engine"));
            CassandraJars.add(HeldMemtable.class, jars);
            node.installEngine(jars);
            node.startExecutor();
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            TestTargets created = target.next().created();
            node.put(created.target());
            node.await("open to clients", RealNode.OPEN);
            String replication = " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
            String held = " (k int PRIMARY KEY) WITH memtable = 'held' AND memtable_flush_period_in_ms = 100";
            cql(HELD_ADDRESS, "CREATE KEYSPACE ks" + replication, "CREATE TABLE ks.held" + held);
            Path hold = Files.createFile(node.files().volume().resolve(HeldMemtable.HOLD));
            // its memtable is switched out soon, and nothing is written to the next one
            cql(HELD_ADDRESS, "INSERT INTO ks.held (k) VALUES (1)");
            awaitHeldFlush(node);
            TestTargets first = created.task(NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", "20261124T040000Z-0001"));
            assertThat(rowsOnceFlushed(node, first, "held", hold)).isEqualTo(1);

            cql(
                    HELD_ADDRESS,
                    "CREATE KEYSPACE ringmaster" + replication, // no part of a backup
                    "CREATE TABLE ringmaster.held" + held,
                    "CREATE TABLE ks.queued (k int PRIMARY KEY)");
            Files.createFile(hold);
            cql(HELD_ADDRESS, "INSERT INTO ringmaster.held (k) VALUES (1)");
            awaitHeldFlush(node);
            cql(HELD_ADDRESS, "INSERT INTO ks.queued (k) VALUES (1)", "INSERT INTO ks.queued (k) VALUES (2)");
            TestTargets second = first.task(NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", "20261124T050000Z-0002"));
            assertThat(rowsOnceFlushed(node, second, "queued", hold)).isEqualTo(2);
        } finally {
            seeds.close();
        }
    }

    private static void awaitHeldFlush(RealNode node) throws InterruptedException {
        Path held = node.files().volume().resolve(HeldMemtable.HELD);
        long start = System.nanoTime();
        while (!Files.exists(held)) {
            assertThat(System.nanoTime() - start).as("a flush is held").isLessThan(TimeUnit.MINUTES.toNanos(1));
            Thread.sleep(50);
        }
    }

    /** The rows of the table that a snapshot has, which waits until its flush goes on. */
    private static long rowsOnceFlushed(RealNode node, TestTargets wanted, String table, Path hold) throws Exception {
        node.put(wanted.target());
        node.await(
                "waiting for the flush",
                s -> s.task() != null
                        && s.task().message().equals("waits until the rows of ks." + table + " are in files"));
        Files.delete(hold);
        run(node, wanted);
        String backup = Objects.requireNonNull(wanted.target().task()).args().get("backup");
        Path file = node.files().volume().resolve("backup/" + backup + "/snapshot.json");
        return all(table(Json.mapper().readTree(file.toFile()), table).path("sstables"))
                .mapToLong(s -> s.path("rows").asLong())
                .sum();
    }

    @Test
    void aSnapshotHoldsEveryTableWithRowsOfUsersAndItsFileSaysWhatOnlyCassandraKnows() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, EngineNodeTest.ENGINE)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            node.installEngine(CassandraJars.engine(directory.resolve("engine")));
            node.startExecutor();
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            TestTargets created = target.next().created();
            node.put(created.target());
            node.await("open to clients", RealNode.OPEN);
            cql(
                    ADDRESS,
                    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                    "CREATE TABLE ks.t (k int PRIMARY KEY, v text, gone text)",
                    "INSERT INTO ks.t (k, v) VALUES (1, 'a')",
                    "ALTER TABLE ks.t DROP gone",
                    "CREATE TABLE ks.\"Upper\" (k int PRIMARY KEY)",
                    "CREATE TABLE ks.r (k int PRIMARY KEY) WITH memtable = 'rocksdb'",
                    "INSERT INTO ks.r (k) VALUES (1)",
                    "CREATE TABLE ks.none (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
            TestTargets first = created.task(NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", "20261124T040000Z-0001"));
            assertThat(run(node, first)).matches("a snapshot of \\d+ tables");
            check(node.files().volume(), "20261124T040000Z-0001");

            TestTargets second = first.task(NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", "20261124T050000Z-0002"));
            run(node, second);
            check(node.files().volume(), "20261124T050000Z-0002");
            assertThat(snapshots(node.files().volume())).doesNotContain("ringmaster-20261124T040000Z-0001");

            cql(ADDRESS, "CREATE TABLE ks.old (k int PRIMARY KEY, v int) WITH COMPACT STORAGE");
            TaskStatus refused =
                    ended(node, second.task(NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", "20261124T060000Z-0003")));
            assertThat(refused.state()).isEqualTo(TaskStatus.State.FAILED);
            assertThat(refused.message())
                    .startsWith("no statement of DESCRIBE SCHEMA makes ks.old, as of one with COMPACT STORAGE");
        } finally {
            seeds.close();
        }
    }

    private static void check(Path volume, String backup) throws IOException {
        Path file = volume.resolve("backup").resolve(backup).resolve("snapshot.json");
        JsonNode snapshot = Json.mapper().readTree(Files.readString(file));
        assertThat(file.getParent().getParent()).isDirectoryContaining("glob:**" + backup);
        assertThat(snapshot.path("backup").asText()).isEqualTo(backup);
        assertThat(snapshot.path("cassandra").asText()).isEqualTo("5.0.9");
        assertThat(snapshot.path("from").asText())
                .isLessThan(snapshot.path("to").asText());
        JsonNode member = snapshot.path("ring").path(0);
        assertThat(member.path("host_id")).isEqualTo(snapshot.path("host_id"));
        assertThat(member.path("datacenter").asText()).isEqualTo("dc1");
        assertThat(member.path("rack").asText()).isEqualTo("r1");
        assertThat(member.path("tokens").path(0).asText()).isEqualTo("-9223372036854775808");
        assertThat(member.path("tokens")).isEqualTo(snapshot.path("tokens"));

        assertThat(all(snapshot.path("tables")).map(t -> t.path("keyspace").asText()))
                .containsOnly("ks", "system_auth");
        JsonNode rows = table(snapshot, "t");
        assertThat(rows.path("engine").asText()).isEqualTo("sstable");
        JsonNode sstable = rows.path("sstables").path(0);
        assertThat(sstable.path("rows").asLong()).isEqualTo(1);
        assertThat(sstable.path("level").asInt(-1)).isZero();
        assertThat(sstable.path("first")).isEqualTo(sstable.path("last"));
        assertThat(sstable.path("max_ts").asLong()).isPositive();
        Path linked = volume.resolve("data/ks")
                .resolve("t-" + rows.path("id").asText())
                .resolve("snapshots/ringmaster-" + backup);
        assertThat(linked.resolve(sstable.path("prefix").asText() + "-Data.db")).exists();
        assertThat(table(snapshot, "Upper").path("sstables")).isEmpty();
        JsonNode engine = table(snapshot, "r");
        assertThat(engine.path("engine").asText()).isEqualTo("rocksdb");
        assertThat(engine.path("checkpoint").asBoolean()).isTrue();
        assertThat(table(snapshot, "none").path("engine").asText()).isEqualTo("rocksdb");
        assertThat(table(snapshot, "none").path("checkpoint").asBoolean(true))
                .as("it has no row, so the engine wrote nothing")
                .isFalse();
        assertThat(volume.resolve(
                        "data/ks/r-" + engine.path("id").asText() + "/snapshots/ringmaster-" + backup + "/rocksdb"))
                .isDirectory();

        assertThat(all(snapshot.path("schema")).map(s -> s.path("keyspace").asText()))
                .containsOnly("ks");
        String statement = all(snapshot.path("schema"))
                .filter(s -> s.path("type").asText().equals("table")
                        && s.path("name").asText().equals("t"))
                .findFirst()
                .orElseThrow()
                .path("statement")
                .asText();
        assertThat(statement).contains("ID = ").contains("DROP gone");
    }

    private static JsonNode table(JsonNode snapshot, String name) {
        return all(snapshot.path("tables"))
                .filter(t -> t.path("table").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<JsonNode> all(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static List<String> snapshots(Path volume) throws IOException {
        try (Stream<Path> files = Files.walk(volume.resolve("data"))) {
            return files.filter(f -> f.getParent().endsWith("snapshots"))
                    .map(f -> f.getFileName().toString())
                    .distinct()
                    .toList();
        }
    }

    /** Runs the target's task and returns its outcome. */
    private static String run(RealNode node, TestTargets wanted) throws Exception {
        TaskStatus ended = ended(node, wanted);
        assertThat(ended.state()).as(ended.message()).isEqualTo(TaskStatus.State.DONE);
        return ended.message();
    }

    private static TaskStatus ended(RealNode node, TestTargets wanted) throws Exception {
        node.put(wanted.target());
        NodeTask task = Objects.requireNonNull(wanted.target().task());
        return Objects.requireNonNull(node.await(
                        task.kind() + " to end",
                        s -> s.task() != null
                                && s.task().id().equals(task.id())
                                && s.task().state().isOver())
                .task());
    }

    private static void cql(String address, String... statements) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(address, 9042))
                .withLocalDatacenter("dc1")
                .build()) {
            for (String statement : statements) {
                session.execute(statement);
            }
        }
    }
}
