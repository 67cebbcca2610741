package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DurationSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One real executor with one real Cassandra, shared by all tests. The tests build on each other in their order: each
 * needs the node and the newest {@link #target} as the tests before leave them.
 */
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealNodeTest {
    private static final String ADDRESS = "127.77.1.1";
    private static final String OTHER_ADDRESS = "127.77.1.2";
    private static final Predicate<NodeStatus> NORMAL = s -> s.mode() == OperatingMode.NORMAL;
    /** The companion measures the ring every 2 s. */
    private static final Predicate<NodeStatus> MEASURED =
            NORMAL.and(s -> s.ring() != null && s.ring().ownership() > 0);

    @TempDir
    private static Path directory;

    private static SeedServer seeds;
    /** The newest that the node was given. */
    private static TestTargets target;

    private static RealNode node;

    @BeforeAll
    static void prepare() throws IOException {
        seeds = new SeedServer();
        target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        node = RealNode.in(directory, ADDRESS, target.target());
    }

    @AfterAll
    static void end() throws IOException {
        node.close();
        seeds.close();
    }

    /** The node as the test before has left it. */
    private static NodeStatus normal() throws IOException, InterruptedException {
        node.ensureExecutor();
        return node.await("NORMAL", MEASURED);
    }

    /** Sends a target that the executor must accept. */
    private static void give(TestTargets newer) throws IOException, InterruptedException {
        assertThat(node.put(newer.target()).statusCode()).isEqualTo(200);
        target = newer;
    }

    private static void killDaemon(NodeStatus status) {
        ProcessHandle.of(daemon(status)).orElseThrow().destroyForcibly();
    }

    private static Predicate<NodeStatus> exitsAfter(NodeStatus before, int more) {
        return s -> s.exits() == before.exits() + more;
    }

    private static long daemon(NodeStatus status) {
        @Nullable Long pid = status.daemonPid();
        assertThat(pid).as("daemon's process").isNotNull();
        return pid == null ? 0 : pid;
    }

    @Test
    @Order(1)
    void anExecutorStartsWithoutATargetAndNeverStopsADaemonBeforeOneArrives() throws Exception {
        Files.delete(node.files().target());
        node.startExecutor();
        NodeStatus empty = node.await("no target", s -> s.activity().equals("waits for its first target"));
        assertThat(empty.generation()).isZero();
        assertThat(empty.mode()).isEqualTo(OperatingMode.DOWN);
        assertThat(empty.problem()).isNull();
        assertThat(node.put(target.with("node", "rides/dc1/node-1").target()).statusCode())
                .isEqualTo(409);
        assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
        NodeStatus first = node.await("NORMAL", MEASURED);
        assertThat(first.stages()).containsKey(Stage.EXECUTOR);
        assertIsARingOfItsOwn(first);
        node.killExecutor();

        Files.writeString(node.files().target(), "{");
        node.startExecutor();
        NodeStatus adopted = node.await("NORMAL under an executor without a target", NORMAL);
        assertThat(adopted.generation()).isZero();
        assertThat(daemon(adopted)).isEqualTo(daemon(first));
        assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
        NodeStatus again = node.await("generation 1", NORMAL.and(s -> s.generation() == 1));
        assertThat(daemon(again)).isEqualTo(daemon(first));
    }

    private static RingView assertIsARingOfItsOwn(NodeStatus status) throws IOException, InterruptedException {
        assertThat(status.stages()).containsKeys(Stage.DAEMON, Stage.JOINED);
        assertThat(status.appliedSpecVersion()).isEqualTo(1);
        assertThat(status.problem()).isNull();
        RingView ring = status.ring();
        assertThat(ring).isNotNull();
        assertThat(ring.ownership()).isEqualTo(1.0);
        assertThat(ring.peers()).singleElement().satisfies(self -> {
            assertThat(self.endpoint()).isEqualTo(ADDRESS + ":7000");
            assertThat(self.isNormal()).isTrue();
            assertThat(self.datacenter()).isEqualTo("dc1");
            assertThat(self.rack()).isEqualTo("r1");
            assertThat(self.schemaVersion()).isEqualTo(ring.schemaVersion());
        });
        assertThat(storageService("LiveNodes")).isEqualTo("{\"value\":[\"" + ADDRESS + "\"]}");
        assertThat(node.get("/v1/metrics")).contains("cassandra_ThreadPools").contains("ringmaster_node_peers_alive 1");
        assertThat(node.manage("{\"query\":\"org.apache.cassandra.metrics:*\"}").body())
                .isEqualTo("{\"names\":[]}");
        assertThat(node.get("/v1/logs?file=system")).contains("INFO");
        return ring;
    }

    @Test
    @Order(2)
    void aNodeThatJoinsWithoutBootstrapIsClosedToClientsUntilItsClusterIsComplete() throws Exception {
        NodeStatus closed = normal();
        assertThat(closed.ring().clientAccess()).isEqualTo(ClientAccess.AWAITS_CREATION);
        assertThat(closed.activity()).contains("closed to clients");
        assertThat(companion(closed).awaitsClients()).isTrue();
        assertThat(companion(closed).bootstrapped()).isTrue();
        assertThatThrownBy(() -> new Socket(ADDRESS, 9042).close()).isInstanceOf(ConnectException.class);
        killDaemon(closed);
        NodeStatus again = node.await("NORMAL again", NORMAL.and(exitsAfter(closed, 1)));
        assertThat(again.ring().clientAccess()).isEqualTo(ClientAccess.AWAITS_CREATION);

        node.killExecutor();
        node.startExecutor();
        node.await("NORMAL under a new executor", NORMAL);
        NodeStatus open;
        seeds.close();
        try {
            give(target.next().created());
            open = node.await("open to clients while its server is down", RealNode.OPEN);
        } finally {
            seeds.reopen();
        }
        assertThat(daemon(open)).as("opened without a restart").isEqualTo(daemon(again));
        try (Socket cql = new Socket(ADDRESS, 9042)) {
            assertThat(cql.isConnected()).isTrue();
        }
        assertThat(companion(open).awaitsClients()).isFalse();
        node.manage(
                "{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"operation\":\"stopNativeTransport\"}");
        node.await("closed by an operator", RealNode.OPEN.negate());
        Thread.sleep(3000);
        assertThat(companion(open).cql()).as("opened again").isFalse();
        killDaemon(open);
        node.await("open after a restart", RealNode.OPEN.and(exitsAfter(open, 1)));
    }

    @Test
    @Order(3)
    void aNodeStartsAndIsRestartedAfterAKillEvenWhileItsServerIsDown() throws Exception {
        NodeStatus first = normal();
        RingView ring = assertIsARingOfItsOwn(first);
        seeds.close();
        try {
            killDaemon(first);
            NodeStatus dead = node.await("the end of the daemon", exitsAfter(first, 1));
            assertThat(dead.problem()).isNotNull();
            assertThat(dead.problem().message()).contains("signal 9");
            NodeStatus again = node.await("NORMAL again", NORMAL.and(exitsAfter(first, 1)));
            assertThat(daemon(again)).isNotEqualTo(daemon(first));
            assertThat(again.problem()).isNull();
            assertThat(again.ring().hostId()).isEqualTo(ring.hostId());
            assertThat(node.get("/v1/logs?file=system&lines=2000")).contains("No server answered");
        } finally {
            seeds.reopen();
        }
    }

    @Test
    @Order(4)
    void aDaemonOutlivesItsExecutorAndIsAdopted() throws Exception {
        NodeStatus before = normal();
        node.killExecutor();
        assertThat(ProcessHandle.of(daemon(before)).orElseThrow().isAlive()).isTrue();
        node.startExecutor();
        NodeStatus after = node.await("NORMAL under a new executor", NORMAL);
        assertThat(daemon(after)).isEqualTo(daemon(before));
        assertThat(after.executorPid()).isNotEqualTo(before.executorPid());
        assertThat(after.stages()).isEqualTo(before.stages());
        assertThat(after.appliedSpecVersion()).isEqualTo(1);

        killDaemon(after);
        NodeStatus restarted =
                node.await("restarted by the executor that adopted it", NORMAL.and(exitsAfter(after, 1)));
        assertThat(daemon(restarted)).isNotEqualTo(daemon(before));
    }

    @Test
    @Order(5)
    void liveParametersAreChangedInTheRunningDaemonAllOrNone() throws Exception {
        NodeStatus first = normal();
        TestTargets faster = target.next()
                .spec(
                        2,
                        Map.of(
                                "compaction_throughput",
                                "32MiB/s",
                                "read_request_timeout",
                                "7s",
                                "tables_warn_threshold",
                                90));
        give(faster);
        NodeStatus changed = node.await("version 2", NORMAL.and(s -> s.appliedSpecVersion() == 2));
        assertThat(daemon(changed)).isEqualTo(daemon(first));
        assertThat(changed.setLive())
                .isEqualTo(Map.of(
                        "compaction_throughput",
                        "32MiB/s",
                        "read_request_timeout",
                        "7000ms",
                        "tables_warn_threshold",
                        "90"));
        assertThat(storageService("CompactionThroughputMbPerSec")).isEqualTo("{\"value\":32}");
        assertThat(storageService("ReadRpcTimeout")).isEqualTo("{\"value\":7000}");
        assertThat(yaml()).contains("compaction_throughput: \"32MiB/s\"", "read_request_timeout: \"7s\"");

        TestTargets refused =
                faster.next().spec(3, Map.of("compaction_throughput", "16MiB/s", "concurrent_compactors", 0));
        give(refused);
        NodeStatus rejected = node.await("the refusal", s -> s.problem() != null);
        assertThat(rejected.problem().field()).isEqualTo("cassandra_yaml.concurrent_compactors");
        assertThat(rejected.mode()).isEqualTo(OperatingMode.NORMAL);
        assertThat(rejected.appliedSpecVersion()).isEqualTo(2);
        assertThat(storageService("CompactionThroughputMbPerSec")).isEqualTo("{\"value\":32}");
        assertThat(yaml()).doesNotContain("concurrent_compactors: 0");

        node.killExecutor();
        node.startExecutor();
        TestTargets less = refused.next().spec(4, Map.of("read_request_timeout", "7s"));
        node.await("an answer", NORMAL);
        give(less);
        NodeStatus fixed = node.await("version 4", NORMAL.and(s -> s.appliedSpecVersion() == 4));
        assertThat(fixed.problem()).isNull();
        assertThat(daemon(fixed)).isEqualTo(daemon(first));
        assertThat(storageService("CompactionThroughputMbPerSec"))
                .as("Cassandra's default")
                .isEqualTo("{\"value\":64}");

        killDaemon(fixed);
        node.await("another daemon", NORMAL.and(exitsAfter(fixed, 1)));
        assertThat(storageService("ReadRpcTimeout"))
                .as("after a start with the yaml that was written")
                .isEqualTo("{\"value\":7000}");
    }

    @Test
    @Order(6)
    void aRestartHappensOncePerIncrementOfTheCounterAndAStopStops() throws Exception {
        NodeStatus first = normal();
        give(target.next().run(true, 1));
        NodeStatus second = node.await("restarted", NORMAL.and(s -> s.appliedRestarts() == 1));
        assertThat(daemon(second)).isNotEqualTo(daemon(first));
        assertThat(second.exits()).as("a requested restart is no failure").isZero();
        give(target.next().run(false, 1));
        NodeStatus stopped = node.await("stopped", s -> s.mode() == OperatingMode.DOWN);
        assertThat(stopped.daemonPid()).isNull();
        assertThat(stopped.problem()).isNull();
        assertThat(ProcessIdentity.of(daemon(second))).isEmpty();
        assertThat(Files.readString(node.files().systemLog())).contains("DRAINED");
    }

    @Test
    @Order(7)
    void aPortInUseIsReportedAndTheStartRetried() throws Exception {
        node.ensureExecutor();
        long restarts = target.target().restarts();
        give(target.next().run(false, restarts));
        node.await(
                "stopped",
                s -> s.mode() == OperatingMode.DOWN
                        && s.generation() == target.target().generation());
        try (ServerSocket other = new ServerSocket(9042, 1, InetAddress.getByName(ADDRESS))) {
            assertThat(other.isBound()).isTrue();
            give(target.next().run(true, restarts));
            NodeStatus waiting = node.await("a problem", s -> s.problem() != null);
            assertThat(waiting.problem().message()).contains(ADDRESS + ":9042");
            assertThat(waiting.mode()).isEqualTo(OperatingMode.DOWN);
        }
        assertThat(node.await("NORMAL", NORMAL).problem()).isNull();
    }

    @Test
    @Order(8)
    void aRunningCassandraAcceptsEveryLiveParameter() throws Exception {
        NodeStatus first = normal();
        Map<String, Object> all = new TreeMap<>();
        for (String name : LiveParameters.names()) {
            all.put(name, sample(name));
        }
        give(target.next().spec(5, all));
        NodeStatus changed =
                node.await("version 5 or a refusal", s -> s.appliedSpecVersion() == 5 || s.problem() != null);
        assertThat(changed.problem()).isNull();
        assertThat(daemon(changed)).isEqualTo(daemon(first));
        assertThat(changed.setLive().keySet()).isEqualTo(LiveParameters.names());
    }

    @Test
    @Order(9)
    void aBadParameterIsRejectedWithCassandrasMessageAndAGoodSpecFixesIt() throws Exception {
        normal();
        TestTargets older = target;
        give(target.next().spec(6, Map.of("no_such_parameter", 1)));
        long bad = target.target().generation();
        NodeStatus rejected = node.await("rejected", s -> s.problem() != null && s.generation() == bad);
        assertThat(rejected.problem().code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
        assertThat(rejected.problem().message()).contains("no_such_parameter");
        assertThat(rejected.mode()).isEqualTo(OperatingMode.DOWN);

        assertThat(node.put(older.target()).statusCode())
                .as("an older generation")
                .isEqualTo(409);

        give(target.next().spec(7, Map.of()).options(JvmSpec.Collector.SERIAL, RealNode.ALONE, "-XX:NoSuchOption=1"));
        NodeStatus refused = node.await("option refused", s -> s.problem() != null && s.generation() == bad + 1);
        assertThat(refused.problem().field()).isEqualTo("jvm.options");

        give(target.next().spec(8, Map.of("concurrent_reads", 5)).options(JvmSpec.Collector.SERIAL, RealNode.ALONE));
        NodeStatus fixed = node.await("NORMAL with version 8", NORMAL.and(s -> s.appliedSpecVersion() == 8));
        assertThat(fixed.problem()).isNull();
        assertThat(Files.readString(node.files().conf().resolve("cassandra.yaml")))
                .contains("concurrent_reads: 5");
    }

    @Test
    @Order(10)
    void aDaemonAtAnotherAddressThanItsExecutorIsRestartedThere() throws Exception {
        NodeStatus before = normal();
        node.killExecutor();
        node.moveTo(OTHER_ADDRESS);
        node.startExecutor();
        NodeStatus after = node.await("NORMAL in another process", NORMAL.and(s -> daemon(s) != daemon(before)));
        assertThat(after.ring().hostId()).isEqualTo(before.ring().hostId());
        assertThat(after.ring().member(before.ring().hostId()))
                .hasValueSatisfying(self -> assertThat(self.endpoint()).isEqualTo(OTHER_ADDRESS + ":7000"));
        assertThat(after.exits()).isZero();
    }

    @Test
    @Order(11)
    void aVolumeThatWasAwayForLongerThanGcGraceIsNeverStarted() throws Exception {
        NodeStatus before = normal();
        Path heartbeat = node.files().directory("data").resolve("cassandra-heartbeat");
        Instant written = Files.getLastModifiedTime(heartbeat).toInstant();
        assertThat(written).isAfter(Instant.now().minusSeconds(60));
        node.killExecutor();
        killDaemon(before);
        Files.writeString(heartbeat, "{\"last_heartbeat\": \"2020-01-01T00:00:00Z\"}");
        node.startExecutor();
        NodeStatus refused = node.await("refused", s -> s.problem() != null);
        assertThat(refused.problem().code()).isEqualTo(ErrorCode.VOLUME_OUTDATED);
        assertThat(refused.problem().message())
                .contains("it ran there until 2020-01-01T00:00:00Z", "gc_grace_seconds of", "system_auth.roles");
        assertThat(refused.problem().nextStep()).hasToString("ringmaster node replace rides/dc1/node-0");

        Map<String, Object> unchecked = Map.of("check_data_resurrection", Map.of("enabled", false));
        give(target.next().spec(9, Map.of("startup_checks", unchecked)));
        node.await("NORMAL without the check", NORMAL.and(s -> s.appliedSpecVersion() == 9));
        give(target.next().spec(10, Map.of()));
        node.await("NORMAL with the check", NORMAL.and(s -> s.appliedSpecVersion() == 10));
        assertThat(Files.readString(heartbeat)).doesNotContain("2020");
    }

    private static NodeAnswer companion(NodeStatus status) throws IOException {
        return new CompanionClient(node.files().socket()).node(daemon(status), Duration.ofSeconds(10));
    }

    /** A value that is not the default. */
    private static Object sample(String name) throws ReflectiveOperationException {
        Class<?> type = Config.class.getField(name).getType();
        if (name.equals("phi_convict_threshold")) {
            return 9.5;
        } else if (type == boolean.class) {
            return !Config.class.getField(name).getBoolean(new Config());
        } else if (type == double.class) {
            return 0.5;
        } else if (type == int.class || type == long.class || type == Integer.class) {
            return name.endsWith("fail_threshold") || name.endsWith("failure_threshold") ? 2000 : 1;
        } else if (DurationSpec.class.isAssignableFrom(type)) {
            return "9s";
        } else if (DataRateSpec.class.isAssignableFrom(type)) {
            return "8MiB/s";
        }
        return name.endsWith("fail_threshold") ? "9MiB" : "1MiB";
    }

    private static String yaml() throws IOException {
        return Files.readString(node.files().conf().resolve("cassandra.yaml"));
    }

    private static String storageService(String attribute) throws IOException, InterruptedException {
        return node.manage("{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"attribute\":\"" + attribute
                        + "\"}")
                .body();
    }
}
