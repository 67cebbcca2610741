package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
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
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DurationSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real executor with one real Cassandra. */
@Tag("cassandra")
@Timeout(300)
class RealNodeTest {
    private static final String ADDRESS = "127.77.1.1";
    private static final String OTHER_ADDRESS = "127.77.1.2";
    private static final Predicate<NodeStatus> NORMAL = s -> s.mode() == OperatingMode.NORMAL;

    @TempDir
    Path directory;

    private HttpServer seedServer;
    private TestTargets target;
    private RealNode node;

    @BeforeEach
    void prepare() throws IOException {
        seedServer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        seedServer.createContext("/api/v1/seeds", http -> {
            byte[] answer = "{\"isSeed\":true,\"seeds\":[]}".getBytes(StandardCharsets.US_ASCII);
            http.sendResponseHeaders(200, answer.length);
            http.getResponseBody().write(answer);
            http.close();
        });
        seedServer.start();
        target = TestTargets.first()
                .at(
                        new NodePorts(7000, 7001, 9042, 7070),
                        List.of("http://127.0.0.1:" + seedServer.getAddress().getPort()));
        node = nodeOf(target);
    }

    private RealNode nodeOf(TestTargets wanted) throws IOException {
        return new RealNode(
                directory.resolve("rides-dc1-node-0"),
                CassandraJars.link(Path.of("target", "cassandra-jars").toAbsolutePath()),
                CassandraJars.companion(directory),
                ADDRESS,
                wanted.target());
    }

    @AfterEach
    void end() throws IOException {
        node.close();
        seedServer.stop(0);
    }

    private static long daemon(NodeStatus status) {
        @Nullable Long pid = status.daemonPid();
        assertThat(pid).as("daemon's process").isNotNull();
        return pid == null ? 0 : pid;
    }

    @Test
    void aNodeStartsAndIsRestartedAfterAKillEvenWhileItsServerIsDown() throws Exception {
        node.startExecutor();
        NodeStatus first = node.await("NORMAL", NORMAL);
        assertThat(first.stages()).containsKeys(Stage.EXECUTOR, Stage.DAEMON, Stage.JOINED);
        assertThat(first.appliedSpecVersion()).isEqualTo(1);
        assertThat(first.problem()).isNull();
        RingView ring = first.ring();
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

        seedServer.stop(0);
        node.put(target.next().created().target());
        node.await("open to clients", RealNode.OPEN);
        ProcessHandle.of(daemon(first)).orElseThrow().destroyForcibly();
        NodeStatus dead = node.await("the end of the daemon", s -> s.exits() == 1);
        assertThat(dead.problem()).isNotNull();
        assertThat(dead.problem().message()).contains("signal 9");
        NodeStatus again = node.await("NORMAL again", NORMAL.and(s -> s.exits() == 1));
        assertThat(daemon(again)).isNotEqualTo(daemon(first));
        assertThat(again.problem()).isNull();
        assertThat(again.ring().hostId()).isEqualTo(ring.hostId());
        assertThat(node.get("/v1/logs?file=system&lines=2000")).contains("No server answered");
    }

    @Test
    void aDaemonOutlivesItsExecutorAndIsAdopted() throws Exception {
        Process executor = node.startExecutor();
        NodeStatus before = node.await("NORMAL", NORMAL);
        executor.destroyForcibly().waitFor();
        assertThat(ProcessHandle.of(daemon(before)).orElseThrow().isAlive()).isTrue();
        node.startExecutor();
        NodeStatus after = node.await("NORMAL under a new executor", NORMAL);
        assertThat(daemon(after)).isEqualTo(daemon(before));
        assertThat(after.executorPid()).isNotEqualTo(before.executorPid());
        assertThat(after.stages()).isEqualTo(before.stages());
        assertThat(after.appliedSpecVersion()).isEqualTo(1);

        ProcessHandle.of(daemon(after)).orElseThrow().destroyForcibly();
        NodeStatus restarted = node.await("restarted by the executor that adopted it", NORMAL.and(s -> s.exits() == 1));
        assertThat(daemon(restarted)).isNotEqualTo(daemon(before));
    }

    @Test
    void aNodeThatJoinsWithoutBootstrapIsClosedToClientsUntilItsClusterIsComplete() throws Exception {
        Process executor = node.startExecutor();
        NodeStatus closed = node.await("NORMAL", NORMAL);
        assertThat(closed.ring().clientAccess()).isEqualTo(ClientAccess.AWAITS_CREATION);
        assertThat(closed.activity()).contains("closed to clients");
        assertThat(companion(closed).awaitsClients()).isTrue();
        assertThat(companion(closed).bootstrapped()).isTrue();
        assertThatThrownBy(() -> new Socket(ADDRESS, 9042).close()).isInstanceOf(ConnectException.class);
        ProcessHandle.of(daemon(closed)).orElseThrow().destroyForcibly();
        NodeStatus again = node.await("NORMAL again", NORMAL.and(s -> s.exits() == 1));
        assertThat(again.ring().clientAccess()).isEqualTo(ClientAccess.AWAITS_CREATION);

        executor.destroyForcibly().waitFor();
        node.startExecutor();
        node.await("NORMAL under a new executor", NORMAL);
        node.put(target.next().created().target());
        NodeStatus open = node.await("open to clients", RealNode.OPEN);
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
        ProcessHandle.of(daemon(open)).orElseThrow().destroyForcibly();
        node.await("open after a restart", RealNode.OPEN.and(s -> s.exits() == 1));
    }

    @Test
    void aNodeThatHasNotJoinedWhenItsClusterIsCreatedStartsAgainWithBootstrap() throws Exception {
        node.startExecutor();
        NodeStatus starting = node.await("starting", s -> s.mode() == OperatingMode.STARTING);
        node.put(target.next().created().target());
        NodeStatus open = node.await("open to clients", RealNode.OPEN);
        assertThat(daemon(open)).isNotEqualTo(daemon(starting));
        assertThat(open.exits()).isZero();
        assertThat(Files.readString(node.files().executorLog())).contains("starting again with bootstrap");
        assertThat(Files.readString(node.files().conf().resolve("command"))).doesNotContain("auto_bootstrap");
        assertThat(companion(open).awaitsClients()).isFalse();
    }

    private NodeAnswer companion(NodeStatus status) throws IOException {
        return new CompanionClient(node.files().socket()).node(daemon(status), Duration.ofSeconds(10));
    }

    @Test
    void anExecutorStartsWithoutATargetAndNeverStopsADaemonBeforeOneArrives() throws Exception {
        Files.delete(node.files().target());
        Process executor = node.startExecutor();
        NodeStatus empty = node.await("no target", s -> s.activity().equals("waits for its first target"));
        assertThat(empty.generation()).isZero();
        assertThat(empty.mode()).isEqualTo(OperatingMode.DOWN);
        assertThat(empty.problem()).isNull();
        assertThat(node.put(target.with("node", "rides/dc1/node-1").target()).statusCode())
                .isEqualTo(409);
        assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
        NodeStatus first = node.await("NORMAL", NORMAL);
        executor.destroyForcibly().waitFor();

        Files.writeString(node.files().target(), "{");
        Process second = node.startExecutor();
        NodeStatus adopted = node.await("NORMAL under an executor without a target", NORMAL);
        assertThat(adopted.generation()).isZero();
        assertThat(daemon(adopted)).isEqualTo(daemon(first));
        assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
        NodeStatus again = node.await("generation 1", NORMAL.and(s -> s.generation() == 1));
        assertThat(daemon(again)).isEqualTo(daemon(first));
        second.destroyForcibly().waitFor();
    }

    @Test
    void aDaemonAtAnotherAddressThanItsExecutorIsRestartedThere() throws Exception {
        Process executor = node.startExecutor();
        NodeStatus before = node.await("NORMAL", NORMAL);
        executor.destroyForcibly().waitFor();
        node.moveTo(OTHER_ADDRESS);
        node.startExecutor();
        NodeStatus after = node.await("NORMAL in another process", NORMAL.and(s -> daemon(s) != daemon(before)));
        assertThat(after.ring().hostId()).isEqualTo(before.ring().hostId());
        assertThat(after.ring().member(before.ring().hostId()))
                .hasValueSatisfying(self -> assertThat(self.endpoint()).isEqualTo(OTHER_ADDRESS + ":7000"));
        assertThat(after.exits()).isZero();
    }

    @Test
    void aBadParameterIsRejectedWithCassandrasMessageAndAGoodSpecFixesIt() throws Exception {
        node.startExecutor();
        node.await("NORMAL", NORMAL);
        TestTargets bad = target.next().spec(2, Map.of("no_such_parameter", 1));
        assertThat(node.put(bad.target()).statusCode()).isEqualTo(200);
        NodeStatus rejected = node.await("rejected", s -> s.problem() != null && s.generation() == 2);
        assertThat(rejected.problem().code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
        assertThat(rejected.problem().message()).contains("no_such_parameter");
        assertThat(rejected.mode()).isEqualTo(OperatingMode.DOWN);

        assertThat(node.put(target.target()).statusCode())
                .as("an older generation")
                .isEqualTo(409);

        TestTargets option = bad.next().spec(3, Map.of());
        TestTargets badOption = option.options(option.target().jvm().collector(), "-XX:NoSuchOption=1");
        assertThat(node.put(badOption.target()).statusCode()).isEqualTo(200);
        NodeStatus refused = node.await("option refused", s -> s.problem() != null && s.generation() == 3);
        assertThat(refused.problem().field()).isEqualTo("jvm.options");

        TestTargets good = option.next().spec(4, Map.of("concurrent_reads", 5));
        assertThat(node.put(good.target()).statusCode()).isEqualTo(200);
        NodeStatus fixed = node.await("NORMAL with version 4", NORMAL.and(s -> s.appliedSpecVersion() == 4));
        assertThat(fixed.problem()).isNull();
        assertThat(Files.readString(node.files().conf().resolve("cassandra.yaml")))
                .contains("concurrent_reads: 5");
    }

    @Test
    void liveParametersAreChangedInTheRunningDaemonAllOrNone() throws Exception {
        Process executor = node.startExecutor();
        NodeStatus first = node.await("NORMAL", NORMAL);
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
        node.put(faster.target());
        NodeStatus changed = node.await("version 2", NORMAL.and(s -> s.appliedSpecVersion() == 2));
        assertThat(daemon(changed)).isEqualTo(daemon(first));
        assertThat(changed.setLive())
                .isEqualTo(Map.of(
                        "compaction_throughput",
                        "33554432B/s",
                        "read_request_timeout",
                        "7000ms",
                        "tables_warn_threshold",
                        "90"));
        assertThat(storageService("CompactionThroughputMbPerSec")).isEqualTo("{\"value\":32}");
        assertThat(storageService("ReadRpcTimeout")).isEqualTo("{\"value\":7000}");
        assertThat(yaml()).contains("compaction_throughput: \"32MiB/s\"", "read_request_timeout: \"7s\"");

        TestTargets refused =
                faster.next().spec(3, Map.of("compaction_throughput", "16MiB/s", "concurrent_compactors", 0));
        node.put(refused.target());
        NodeStatus rejected = node.await("the refusal", s -> s.problem() != null);
        assertThat(rejected.problem().field()).isEqualTo("cassandra_yaml.concurrent_compactors");
        assertThat(rejected.mode()).isEqualTo(OperatingMode.NORMAL);
        assertThat(rejected.appliedSpecVersion()).isEqualTo(2);
        assertThat(storageService("CompactionThroughputMbPerSec")).isEqualTo("{\"value\":32}");
        assertThat(yaml()).doesNotContain("concurrent_compactors: 0");

        executor.destroyForcibly().waitFor();
        node.startExecutor();
        TestTargets less = refused.next().spec(4, Map.of("read_request_timeout", "7s"));
        node.await("an answer", NORMAL);
        node.put(less.target());
        NodeStatus fixed = node.await("version 4", NORMAL.and(s -> s.appliedSpecVersion() == 4));
        assertThat(fixed.problem()).isNull();
        assertThat(daemon(fixed)).isEqualTo(daemon(first));
        assertThat(storageService("CompactionThroughputMbPerSec"))
                .as("Cassandra's default")
                .isEqualTo("{\"value\":64}");

        ProcessHandle.of(daemon(fixed)).orElseThrow().destroyForcibly();
        node.await("another daemon", NORMAL.and(s -> s.exits() == 1));
        assertThat(storageService("ReadRpcTimeout"))
                .as("after a start with the yaml that was written")
                .isEqualTo("{\"value\":7000}");
    }

    @Test
    void aRunningCassandraAcceptsEveryLiveParameter() throws Exception {
        node.startExecutor();
        NodeStatus first = node.await("NORMAL", NORMAL);
        Map<String, Object> all = new TreeMap<>();
        for (String name : LiveParameters.names()) {
            all.put(name, sample(name));
        }
        node.put(target.next().spec(2, all).target());
        NodeStatus changed =
                node.await("version 2 or a refusal", s -> s.appliedSpecVersion() == 2 || s.problem() != null);
        assertThat(changed.problem()).isNull();
        assertThat(daemon(changed)).isEqualTo(daemon(first));
        assertThat(changed.setLive().keySet()).isEqualTo(LiveParameters.names());
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
            return "7s";
        } else if (DataRateSpec.class.isAssignableFrom(type)) {
            return "8MiB/s";
        }
        return name.endsWith("fail_threshold") ? "9MiB" : "1MiB";
    }

    private String yaml() throws IOException {
        return Files.readString(node.files().conf().resolve("cassandra.yaml"));
    }

    private String storageService(String attribute) throws IOException, InterruptedException {
        return node.manage("{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"attribute\":\"" + attribute
                        + "\"}")
                .body();
    }

    @Test
    void aRestartHappensOncePerIncrementOfTheCounterAndAStopStops() throws Exception {
        node.startExecutor();
        NodeStatus first = node.await("NORMAL", NORMAL);
        TestTargets restart = target.next().run(true, 1);
        node.put(restart.target());
        NodeStatus second = node.await("restarted", NORMAL.and(s -> s.appliedRestarts() == 1));
        assertThat(daemon(second)).isNotEqualTo(daemon(first));
        assertThat(second.exits()).as("a requested restart is no failure").isZero();
        node.put(restart.next().run(false, 1).target());
        NodeStatus stopped = node.await("stopped", s -> s.mode() == OperatingMode.DOWN);
        assertThat(stopped.daemonPid()).isNull();
        assertThat(stopped.problem()).isNull();
        assertThat(ProcessIdentity.of(daemon(second))).isEmpty();
        assertThat(Files.readString(node.files().systemLog())).contains("DRAINED");
    }

    @Test
    void theProductionPresetStartsWithTokensOfCassandraAndMetricMBeans() throws Exception {
        node.close();
        node = nodeOf(target.production());
        node.startExecutor();
        NodeStatus status = node.await("NORMAL", NORMAL);
        assertThat(status.problem()).isNull();
        assertThat(node.manage("{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"attribute\":\"Tokens\"}")
                        .body()
                        .split(","))
                .hasSize(16);
        assertThat(node.manage("{\"query\":\"org.apache.cassandra.metrics:*\"}").body())
                .contains("type=Table");
    }

    @Test
    void aPortInUseIsReportedAndTheStartRetried() throws Exception {
        try (ServerSocket other = new ServerSocket(9042, 1, InetAddress.getByName(ADDRESS))) {
            assertThat(other.isBound()).isTrue();
            node.startExecutor();
            NodeStatus waiting = node.await("a problem", s -> s.problem() != null);
            assertThat(waiting.problem().message()).contains(ADDRESS + ":9042");
            assertThat(waiting.mode()).isEqualTo(OperatingMode.DOWN);
        }
        assertThat(node.await("NORMAL", NORMAL).problem()).isNull();
    }
}
