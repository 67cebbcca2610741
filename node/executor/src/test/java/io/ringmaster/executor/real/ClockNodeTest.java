package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.JvmSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
 * One real node whose wall clock is set a day ahead and back while its executor and Cassandra run. No duration may
 * follow it: their monotonic clock is the real one.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClockNodeTest {
    private static final String ADDRESS = "127.77.5.1";
    private static final NodePorts PORTS = new NodePorts(7000, 7001, 9042, 7070);
    private static final Predicate<NodeStatus> NORMAL = s -> s.mode() == OperatingMode.NORMAL;
    private static final String DAY_AHEAD = "+1d";
    private static final String PRESENT = "+0";

    /** How long a process may read its clock without a look at the file, in seconds. */
    private static final int CACHE_S = 1;

    /** Longer than {@link #CACHE_S}, and several turns of the executor's loop. */
    private static final Duration A_WHILE = Duration.ofSeconds(4);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private static SeedServer seeds;
    private static TestTargets target;
    private static RealNode node;
    /** The time of the first start. */
    private static Duration usual;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> library = library();
        assumeTrue(library.isPresent(), "libfaketime not found -> ./dev setup");
        seeds = new SeedServer();
        target = TestTargets.first().at(PORTS, List.of(seeds.url())).options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        node = RealNode.in(directory, ADDRESS, target.target());
        setClock(PRESENT);
        node.inherit(Map.of(
                "LD_PRELOAD",
                library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock().toString(),
                "FAKETIME_CACHE_DURATION",
                Integer.toString(CACHE_S),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1",
                "NO_FAKE_STAT",
                "1"));
        long started = System.nanoTime();
        node.startExecutor();
        node.await("NORMAL", NORMAL);
        usual = since(started);
        target = target.next().created();
        node.put(target.target());
        node.await("open to clients", NORMAL.and(RealNode.OPEN));
    }

    @AfterAll
    static void end() throws Exception {
        if (node != null) {
            node.close();
            seeds.close();
        }
    }

    /** Where Debian's package faketime has it: for programs with threads, in a folder of the kind of machine. */
    private static Optional<Path> library() throws IOException {
        try (Stream<Path> kinds = Files.list(Path.of("/usr/lib"))) {
            return kinds.map(kind -> kind.resolve("faketime/libfaketimeMT.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        }
    }

    private static Path clock() {
        return directory.resolve("clock");
    }

    private static void setClock(String shift) throws IOException {
        Path next = Files.writeString(directory.resolve("clock.next"), shift + "\n");
        Files.move(next, clock(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void aDayAheadAndBack() throws IOException, InterruptedException {
        setClock(DAY_AHEAD);
        Thread.sleep(A_WHILE.toMillis());
        setClock(PRESENT);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Twice the time of the first start, because the computer may be busier. */
    private static Duration bound() {
        return usual.multipliedBy(2).plusSeconds(30);
    }

    private static NodeStatus killDaemon() throws Exception {
        NodeStatus before = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
        ProcessHandle.of(Objects.requireNonNull(before.daemonPid()))
                .orElseThrow()
                .destroyForcibly();
        return before;
    }

    /** The node stays as it is, by the same daemon. */
    private static void assertSteady(NodeStatus before) throws Exception {
        Thread.sleep(A_WHILE.toMillis());
        NodeStatus now = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
        assertThat(now.daemonPid()).isEqualTo(before.daemonPid());
        assertThat(now.exits()).isEqualTo(before.exits());
        assertThat(now.problem()).isNull();
    }

    /** When the daemon started, by its own clock. */
    private static Instant startOfDaemon() throws Exception {
        String answer = node.manage("{\"mbean\":\"java.lang:type=Runtime\",\"attribute\":\"StartTime\"}")
                .body();
        return Instant.ofEpochMilli(Json.mapper().readTree(answer).path("value").asLong());
    }

    private static Instant tomorrow() {
        return Instant.now().plus(Duration.ofHours(23));
    }

    @Test
    @Order(1)
    void aDayAheadAndBackWhileItServesChangesNothing() throws Exception {
        NodeStatus before = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
        setClock(DAY_AHEAD);
        assertSteady(before);
        setClock(PRESENT);
        assertSteady(before);
    }

    @Test
    @Order(2)
    void aDayAheadAndBackDuringAStartChangesNothing() throws Exception {
        NodeStatus before = killDaemon();
        long started = System.nanoTime();
        node.await("started again", s -> s.exits() == before.exits() + 1 && s.daemonPid() != null);
        aDayAheadAndBack();
        NodeStatus after = node.await("NORMAL again", NORMAL.and(RealNode.OPEN));
        assertThat(since(started)).as("usual: " + usual).isLessThan(bound());
        assertThat(after.exits()).isEqualTo(before.exits() + 1);
        assertSteady(after);
    }

    @Test
    @Order(3)
    void aDaemonThatStartedADayAheadServesWhenTheClockIsSetBack() throws Exception {
        setClock(DAY_AHEAD);
        Thread.sleep(A_WHILE.toMillis());
        NodeStatus before = killDaemon();
        long started = System.nanoTime();
        NodeStatus after =
                node.await("NORMAL again", NORMAL.and(RealNode.OPEN).and(s -> s.exits() == before.exits() + 1));
        assertThat(since(started)).as("usual: " + usual).isLessThan(bound());
        assertThat(after.stages().get(Stage.LAUNCH))
                .as("the clock of the executor")
                .isAfter(tomorrow());
        assertThat(startOfDaemon()).as("the clock of the daemon").isAfter(tomorrow());
        setClock(PRESENT);
        assertSteady(after);
    }

    @Test
    @Order(4)
    void aPauseBeforeAStartIsNoLongerWhenTheClockIsSetBack() throws Exception {
        long restarts = target.target().restarts();
        target = target.next().run(false, restarts);
        node.put(target.target());
        node.await(
                "stopped", s -> s.mode() == OperatingMode.DOWN && s.activity().equals("stopped as asked"));
        long freed;
        try (ServerSocket other = new ServerSocket(PORTS.nativeTransport(), 1, InetAddress.getByName(ADDRESS))) {
            assertThat(other.isBound()).isTrue();
            setClock(DAY_AHEAD);
            target = target.next().run(true, restarts);
            node.put(target.target());
            node.await("a pause", s -> s.problem() != null && s.activity().startsWith("starting again in"));
            Thread.sleep(A_WHILE.toMillis());
            setClock(PRESENT);
            Thread.sleep(A_WHILE.toMillis());
            freed = System.nanoTime();
        }
        NodeStatus after = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
        assertThat(since(freed)).as("usual: " + usual).isLessThan(bound().plus(LONGEST_PAUSE));
        assertSteady(after);
    }

    @Test
    @Order(5)
    void tasksEndWhileTheClockIsSetAheadAndBack() throws Exception {
        for (NodeTask.Kind kind : List.of(NodeTask.Kind.PROBE, NodeTask.Kind.COMPACT, NodeTask.Kind.PROBE)) {
            NodeStatus before = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
            target = target.task(kind, Map.of());
            setClock(DAY_AHEAD);
            assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
            Thread.sleep(A_WHILE.toMillis());
            setClock(PRESENT);
            String id = Objects.requireNonNull(target.target().task()).id();
            TaskStatus ended = Objects.requireNonNull(node.await(
                            kind + " to end",
                            s -> s.task() != null
                                    && s.task().id().equals(id)
                                    && s.task().state().isOver())
                    .task());
            assertThat(ended.state()).as(ended.message()).isEqualTo(TaskStatus.State.DONE);
            assertSteady(before);
        }
    }
}
