package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.FirstJoin;
import io.ringmaster.executor.state.StatusBoard.Posted;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A supervisor with a process for its daemon and a companion that gives prepared answers. */
@Timeout(60)
class ClientGateTest {
    /** The engine is not installed here, so that no daemon starts after the one of the test. */
    private static final TestTargets CLOSED =
            TestTargets.first().spec(1, Map.of("memtable", Map.of("class_name", "io.ringmaster.engine.RocksDB")));

    private static final TestTargets CREATED = CLOSED.next().created();
    private static final RingView RING = new RingView("id", "5.0.9", "schema", 0, 0, 0, List.of(), Map.of(), List.of());

    @TempDir
    Path directory;

    private final Map<String, Object> node = new ConcurrentHashMap<>();
    private final Queue<Instant> openings = new ConcurrentLinkedQueue<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private volatile String refusal = "";

    private NodeFiles files;
    private Installation installation;
    private ServerSocketChannel companion;
    private Daemon daemon;
    private @Nullable Thread running;

    @BeforeEach
    void start() throws Exception {
        files = new NodeFiles(directory);
        files.create();
        Path jars = Files.createDirectory(directory.resolve("jars"));
        Files.createFile(jars.resolve("cassandra.jar"));
        installation = new Installation(jars.resolve("java"), jars, jars.resolve("companion"), null, null);
        daemon = Daemon.start(
                new Configuration(Map.of(), List.of(), List.of("sleep", "60"), Map.of(), ""), files, List.of());
        while (ProcessIdentity.read(files.daemonPid()).isEmpty()) {
            Thread.onSpinWait();
        }
        companion = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        companion.bind(UnixDomainSocketAddress.of(files.socket()));
        node.putAll(Map.of("pid", daemon.pid(), "activity", "", "cql", false, "awaitsClients", true));
        Thread thread = new Thread(this::serve, "companion");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        if (running != null) {
            running.interrupt();
            running.join();
        }
        daemon.kill();
        companion.close();
    }

    private void serve() {
        while (companion.isOpen()) {
            try (SocketChannel connection = companion.accept()) {
                ByteBuffer in = ByteBuffer.allocate(64 * 1024);
                connection.read(in);
                String request = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElse("");
                requests.add(request);
                boolean opening = request.startsWith("POST /clients/open");
                if (opening) {
                    openings.add(Instant.now());
                }
                if (opening && refusal.isEmpty()) {
                    node.putAll(Map.of("cql", true, "awaitsClients", false));
                }
                String answer = opening && !refusal.isEmpty()
                        ? "HTTP/1.1 500 Refused\r\n\r\n" + Json.text(Map.of("error", refusal))
                        : "HTTP/1.1 200 OK\r\n\r\n" + Json.text(new LinkedHashMap<>(node));
                connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
            } catch (java.nio.channels.ClosedChannelException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The companion reports this mode from now on. */
    private void report(String mode, @Nullable Boolean bootstrapped) {
        node.put("mode", mode);
        if (bootstrapped != null) {
            node.put("bootstrapped", bootstrapped);
        }
        if (mode.equals("NORMAL")) {
            node.put("ring", RING);
        }
    }

    private DaemonState state(TestTargets target) {
        return DaemonState.none()
                .started(
                        1,
                        0,
                        Configurations.of(target.target(), TestTargets.ADDRESS, files, installation, false)
                                .fingerprint(),
                        LiveParameters.of(target.target().cassandraYaml()),
                        Instant.now());
    }

    /** An executor that adopts the daemon. */
    private Supervisor adopt(TestTargets target, DaemonState state) throws IOException {
        Supervisor created = supervisor(target, state);
        run(created);
        return created;
    }

    private Supervisor supervisor(TestTargets target, DaemonState state) throws IOException {
        Files.write(files.target(), Json.bytes(target.target()));
        state.write(files);
        return new Supervisor(target.target().node(), TestTargets.ADDRESS, files, installation, null, Map.of(), 0);
    }

    private void run(Supervisor supervisor) {
        running = new Thread(supervisor, "supervisor");
        running.start();
    }

    /** A gate of an executor that has just started. */
    private ClientGate gate() throws IOException {
        return new ClientGate(new CompanionClient(files.socket()), new DaemonStateFile(files, Map.of()));
    }

    private FirstJoin storedJoin() throws IOException {
        return DaemonState.read(files).orElseThrow().firstJoin();
    }

    private static NodeStatus await(Supervisor supervisor, Predicate<NodeStatus> wanted) throws InterruptedException {
        Posted posted = supervisor.board().read();
        while (!wanted.test(posted.status())) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        return posted.status();
    }

    private static void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            Thread.sleep(10);
        }
    }

    private boolean isTaskStarted() {
        return requests.stream().anyMatch(r -> r.startsWith("POST /task"));
    }

    /** Waits until the companion was asked some more times for its node. */
    private void awaitAnswers(int count) throws InterruptedException {
        long before = asked();
        until(() -> asked() >= before + count);
    }

    private long asked() {
        return requests.stream().filter(r -> r.startsWith("GET /node")).count();
    }

    private static boolean isNormal(NodeStatus status) {
        return status.mode() == OperatingMode.NORMAL;
    }

    private static boolean has(NodeStatus status, String text) {
        Problem problem = status.problem();
        return problem != null && problem.message().contains(text);
    }

    @Test
    void a_member_is_opened_once_and_stays_closed_if_an_operator_closes_it() throws Exception {
        report("NORMAL", true);
        Supervisor executor = adopt(CLOSED, state(CLOSED));
        await(executor, ClientGateTest::isNormal);
        awaitAnswers(2);
        assertThat(openings).as("openings before the cluster counts as created").isEmpty();
        assertThat(executor.targets().accept(CREATED.target())).isEmpty();
        until(() -> !openings.isEmpty());
        node.put("cql", false);
        awaitAnswers(3);
        assertThat(openings).hasSize(1);
        assertThat(executor.board().read().status().problem()).isNull();
        assertThat(daemon.isAlive()).isTrue();
    }

    /** As after an executor of a version that does not know why CQL is closed. */
    @Test
    void a_daemon_is_opened_whatever_the_state_file_knows_of_its_start() throws Exception {
        report("NORMAL", true);
        DaemonState joined = state(CREATED).joinedAt(Map.of());
        Supervisor executor = adopt(CREATED, joined);
        NodeStatus status = await(executor, s -> isNormal(s) && !openings.isEmpty());
        assertThat(status.problem()).isNull();
    }

    @Test
    void a_daemon_that_was_started_open_is_left_as_it_is() throws Exception {
        node.put("awaitsClients", false);
        report("NORMAL", true);
        Supervisor executor = adopt(CREATED, state(CREATED).joinedAt(Map.of()));
        await(executor, ClientGateTest::isNormal);
        awaitAnswers(3);
        assertThat(openings).isEmpty();
    }

    @Test
    void a_daemon_is_left_running_until_its_companion_answers() throws Exception {
        companion.close();
        Supervisor executor = adopt(CREATED, state(CREATED));
        await(executor, s -> s.activity().equals("starting the JVM"));
        Thread.sleep(1000);
        assertThat(daemon.isAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"STARTING", "JOINING"})
    void a_daemon_that_has_not_joined_starts_again_with_bootstrap(String mode) throws Exception {
        report(mode, mode.equals("STARTING") ? null : false);
        Supervisor executor = adopt(CREATED, state(CREATED));
        until(() -> !daemon.isAlive());
        assertThat(storedJoin()).as("before the kill").isEqualTo(FirstJoin.BOOTSTRAP_EXPECTED);
        await(executor, s -> s.daemonPid() == null || s.daemonPid() != daemon.pid());
        assertThat(requests).as("Cassandra would join while it drains").noneMatch(r -> r.startsWith("POST /drain"));
    }

    @Test
    void a_daemon_that_was_restarted_to_bootstrap_and_had_stored_its_join_is_reported() throws Exception {
        state(CREATED).withFirstJoin(FirstJoin.BOOTSTRAP_EXPECTED).write(files);
        ClientGate gate = gate();
        gate.observeJoin(CREATED.target(), started(null));
        assertThat(gate.problem(CREATED.target().node())).isEmpty();
        gate.observeJoin(CREATED.target(), started(true));
        assertThat(gate.problem(CREATED.target().node())).isPresent();
    }

    @Test
    void a_daemon_that_was_restarted_and_bootstraps_is_not_reported() throws Exception {
        ClientGate gate = gate();
        gate.expectBootstrap();
        gate.observeJoin(CREATED.target(), started(null));
        gate.observeJoin(CREATED.target(), started(false));
        gate.observeJoin(CREATED.target(), started(true));
        assertThat(gate.problem(CREATED.target().node())).isEmpty();
    }

    private static NodeAnswer started(@Nullable Boolean bootstrapped) {
        return new NodeAnswer(1, "JOINING", "", false, false, bootstrapped, null, null);
    }

    @Test
    void a_daemon_that_has_stored_its_join_is_not_restarted_but_reported() throws Exception {
        report("JOINING", true);
        Supervisor executor = adopt(CREATED, state(CREATED));
        NodeStatus joining = await(executor, s -> has(s, "joined without bootstrap"));
        assertThat(joining.mode()).isEqualTo(OperatingMode.JOINING);
        assertThat(joining.problem().line()).contains("repair start rides");
        report("NORMAL", true);
        NodeStatus normal = await(executor, s -> isNormal(s) && !openings.isEmpty());
        assertThat(has(normal, "joined without bootstrap")).isTrue();
        assertThat(daemon.isAlive()).isTrue();
        assertThat(storedJoin()).as("for the next executor").isEqualTo(FirstJoin.UNSTREAMED);
    }

    /** Cassandra stores its join seconds before the companion reports NORMAL. */
    @Test
    void a_daemon_that_stored_its_join_before_the_creation_lacks_no_rows() throws Exception {
        report("JOINING", true);
        Supervisor executor = adopt(CLOSED, state(CLOSED));
        awaitAnswers(2);
        assertThat(storedJoin()).as("for the next executor").isEqualTo(FirstJoin.BEFORE_CREATION);
        assertThat(executor.targets().accept(CREATED.target())).isEmpty();
        awaitAnswers(3);
        assertThat(executor.board().read().status().problem()).isNull();
        report("NORMAL", true);
        NodeStatus normal = await(executor, s -> isNormal(s) && !openings.isEmpty());
        assertThat(normal.problem()).isNull();
        assertThat(daemon.isAlive()).isTrue();
    }

    @Test
    void a_daemon_that_stored_its_join_after_the_creation_is_reported() throws Exception {
        ClientGate gate = gate();
        gate.observeJoin(CLOSED.target(), awaiting(false));
        assertThat(gate.mustBootstrap(CREATED.target(), awaiting(true))).isFalse();
        gate.observeJoin(CREATED.target(), awaiting(true));
        assertThat(gate.problem(CREATED.target().node())).isPresent();
    }

    private static NodeAnswer awaiting(boolean bootstrapped) {
        return new NodeAnswer(1, "JOINING", "", false, true, bootstrapped, null, null);
    }

    @Test
    void a_node_that_joined_without_bootstrap_is_reported_until_it_is_repaired() throws Exception {
        report("NORMAL", true);
        NodeTask repair = new NodeTask("task-1", NodeTask.Kind.REPAIR, Map.of("unless_after", "2026-01-02T03:04:05Z"));
        NodeTask flush = new NodeTask("task-0", NodeTask.Kind.FLUSH, Map.of());
        node.put("task", done(flush));
        DaemonState lacking = state(CREATED).joinedAt(Map.of()).withFirstJoin(FirstJoin.UNSTREAMED);
        Supervisor executor = adopt(CREATED.with("task", flush), lacking);
        await(executor, s -> has(s, "joined without bootstrap") && s.task() != null && s.ring() != null);
        awaitAnswers(2);
        assertThat(storedJoin()).as("after a flush").isEqualTo(FirstJoin.UNSTREAMED);
        node.put("task", done(repair));
        assertThat(executor.targets().accept(CREATED.next().with("task", repair).target()))
                .isEmpty();
        NodeStatus repaired =
                await(executor, s -> s.task() != null && s.task().id().equals(repair.id()));
        assertThat(storedJoin()).as("when the end of the repair is reported").isEqualTo(FirstJoin.NONE);
        assertThat(repaired.mode()).isEqualTo(OperatingMode.NORMAL);
        await(executor, s -> s.problem() == null);
    }

    private static TaskStatus done(NodeTask task) {
        return new TaskStatus(
                task.id(), task.kind(), TaskStatus.State.DONE, 1, 1, "ranges", "", Instant.EPOCH, Instant.EPOCH);
    }

    @Test
    void a_state_that_cannot_be_written_is_no_problem_yet_and_nothing_else_waits_for_it() throws Exception {
        report("NORMAL", true);
        NodeTask flush = new NodeTask("task-1", NodeTask.Kind.FLUSH, Map.of());
        Supervisor executor = supervisor(CREATED.with("task", flush), state(CREATED));
        Files.delete(files.daemonState());
        Path obstacle = Files.createDirectories(files.daemonState().resolve("obstacle"));
        run(executor);
        await(executor, s -> s.mode() == OperatingMode.JOINING && s.ring() != null);
        assertThat(executor.board().read().status().activity()).isEqualTo("joined, which cannot be stored yet");
        until(() -> !openings.isEmpty() && isTaskStarted());
        awaitAnswers(3);
        assertThat(has(executor.board().read().status(), "cannot store")).isFalse();
        Files.delete(obstacle);
        Files.delete(files.daemonState());
        await(executor, s -> has(s, "joined without bootstrap"));
        until(() -> Files.exists(files.daemonState()));
        assertThat(storedJoin()).isEqualTo(FirstJoin.UNSTREAMED);
        assertThat(DaemonState.read(files).orElseThrow().joined()).isTrue();
    }

    @Test
    void a_failed_opening_is_a_problem_and_nothing_else_waits_for_it() throws Exception {
        refusal = "no port";
        report("NORMAL", true);
        Supervisor executor = adopt(
                CREATED.with("task", new NodeTask("task-1", NodeTask.Kind.FLUSH, Map.of())),
                state(CREATED).joinedAt(Map.of()));
        NodeStatus closed = await(executor, s -> has(s, "CQL is closed: no port") && s.ring() != null);
        assertThat(closed.problem().code()).isEqualTo(ErrorCode.DAEMON_FAILED);
        assertThat(closed.problem().line()).contains("system.log").contains("node logs rides/dc1/node-0");
        until(() -> isTaskStarted() && openings.size() >= 4);
        List<Instant> attempts = List.copyOf(openings);
        assertThat(attempts.get(3))
                .as("after 0, 1 and 2 s")
                .isAfterOrEqualTo(attempts.get(1).plusSeconds(3));
        assertThat(has(executor.board().read().status(), "CQL is closed")).isTrue();
        refusal = "";
        await(executor, s -> s.problem() == null);
    }

    @Test
    void a_daemon_that_stopped_serving_is_restarted_rather_than_opened() throws Exception {
        report("NORMAL", true);
        node.remove("ring");
        refusal = "refused";
        adopt(CREATED, state(CREATED).joinedAt(Map.of()));
        until(() -> !daemon.isAlive());
        assertThat(openings).isEmpty();
    }
}
