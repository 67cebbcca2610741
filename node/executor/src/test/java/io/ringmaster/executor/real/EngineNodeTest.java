package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.JvmSpec;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real executor with the RocksDB engine in one real Cassandra. */
@Tag("cassandra")
@Timeout(600)
class EngineNodeTest {
    private static final String ADDRESS = "127.7.1.3";

    static final Map<String, Object> ROCKSDB = Map.of(
            "class_name",
            "io.ringmaster.engine.RocksDB",
            "parameters",
            Map.of("block_cache", "32MiB", "write_buffers", "16MiB"));

    /** The parameters for {@code engine: {rocksdb: {}}} in a spec. */
    static final Map<String, Object> ENGINE = Map.of("memtable", Map.of("configurations", Map.of("rocksdb", ROCKSDB)));

    @TempDir
    Path directory;

    @Test
    void aNodeWaitsForTheEngineOfItsSpecAndKeepsTheRowsInItAfterAKill() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, ENGINE)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            node.startExecutor();
            NodeStatus waiting = node.await("without the engine", s -> s.problem() != null);
            assertThat(waiting.problem().field()).isEqualTo("engine.rocksdb");
            assertThat(waiting.mode()).isEqualTo(OperatingMode.DOWN);
            node.killExecutor();

            node.installEngine(CassandraJars.engine(directory.resolve("engine")));
            node.startExecutor();
            NodeStatus first = node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            TestTargets created = target.next().created();
            node.put(created.target());
            node.await("open to clients", RealNode.OPEN);
            cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
            cql("INSERT INTO ks.t (k, v) VALUES (1, 'overwritten')");
            flush(node);
            cql("INSERT INTO ks.t (k, v) VALUES (1, 'kept')");
            flush(node);
            assertThat(Files.isDirectory(node.files().volume().resolve("rocksdb")))
                    .isTrue();
            assertThat(records(node)).as("versions of one row").isEqualTo(2);
            assertThat(run(node, created.task(NodeTask.Kind.CLEANUP, Map.of("keyspaces", "ks"))))
                    .isEqualTo("1 table cleaned up");
            run(node, created.next().task(NodeTask.Kind.COMPACT, Map.of("keyspaces", "ks")));
            assertThat(records(node))
                    .as("versions after Ringmaster compacted the table")
                    .isEqualTo(1);

            NodeStatus second = afterAKill(node, first);
            assertThat(cql("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("kept");

            cql("ALTER TABLE ks.t WITH memtable = 'default'");
            afterAKill(node, second);
            assertThat(cql("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("kept");
            assertThat(Files.readString(node.files().systemLog()).split("RocksDB opened", -1))
                    .as("opened at each start, even without a table, and at the creation of the first table")
                    .hasSize(1 + 3);
        } finally {
            seeds.close();
        }
    }

    @Test
    void aNodeWithTablesInRocksDBIsNotStartedWithoutTheEngine() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .spec(1, ENGINE)
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            node.installEngine(CassandraJars.engine(directory.resolve("engine")));
            node.startExecutor();
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            TestTargets created = target.next().created();
            node.put(created.target());
            node.await("open to clients", RealNode.OPEN);
            cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
            cql("INSERT INTO ks.t (k, v) VALUES (1, 'kept')");

            TestTargets without = created.next().spec(2, Map.of());
            node.put(without.target());
            NodeStatus refused = node.await("the refusal", s -> s.problem() != null);
            assertThat(refused.problem().field()).isEqualTo("engine.rocksdb");
            assertThat(refused.mode()).isEqualTo(OperatingMode.DOWN);
            TestTargets again = without.next().spec(3, ENGINE);
            node.put(again.target());
            node.await("open again", s -> RealNode.OPEN.test(s) && s.appliedSpecVersion() == 3);
            assertThat(cql("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("kept");

            cql("ALTER TABLE ks.t WITH memtable = 'default'");
            flush(node);
            node.put(again.next().spec(4, Map.of()).target());
            node.await("open without the engine", s -> RealNode.OPEN.test(s) && s.appliedSpecVersion() == 4);
            assertThat(cql("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("kept");
        } finally {
            seeds.close();
        }
    }

    private static void flush(RealNode node) throws Exception {
        String answer = node.manage("{\"mbean\":\"org.apache.cassandra.db:type=StorageService\","
                        + "\"operation\":\"forceKeyspaceFlush\","
                        + "\"signature\":[\"java.lang.String\",\"[Ljava.lang.String;\"],"
                        + "\"arguments\":[\"ks\",[]]}")
                .body();
        assertThat(answer).contains("value");
    }

    private static long records(RealNode node) throws Exception {
        return Json.mapper()
                .readTree(node.manage("{\"mbean\":\"io.ringmaster.engine:type=Operations\",\"attribute\":\"Tables\"}")
                        .body())
                .path("value")
                .path("ks.t")
                .path("records")
                .asLong();
    }

    /** Runs the target's task and returns its outcome. */
    private static String run(RealNode node, TestTargets wanted) throws Exception {
        node.put(wanted.target());
        NodeTask task = Objects.requireNonNull(wanted.target().task());
        TaskStatus ended = Objects.requireNonNull(node.await(
                        task.kind() + " to end",
                        s -> s.task() != null
                                && s.task().id().equals(task.id())
                                && s.task().state().isOver())
                .task());
        assertThat(ended.state()).as(ended.message()).isEqualTo(TaskStatus.State.DONE);
        return ended.message();
    }

    private static NodeStatus afterAKill(RealNode node, NodeStatus before) throws Exception {
        Long pid = before.daemonPid();
        assertThat(pid).isNotNull();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        NodeStatus after =
                node.await("NORMAL again", s -> s.mode() == OperatingMode.NORMAL && s.exits() == before.exits() + 1);
        assertThat(ProcessIdentity.of(pid)).isEmpty();
        return after;
    }

    /** The first column of the first row, or nothing. */
    private static String cql(String statement) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(ADDRESS, 9042))
                .withLocalDatacenter("dc1")
                .build()) {
            var row = session.execute(statement).one();
            return row == null ? "" : String.valueOf(row.getObject(0));
        }
    }
}
