package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.pool.mesos.MesosTestbed;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Parts of a Mesos fail below a ring that serves an open-loop load at LOCAL_QUORUM. */
@RealNodes(tls = false, roles = false, why = "agents of Mesos have no TLS")
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MesosOutagesTest {
    /** Longer than the master waits for an answer of an agent. */
    private static final Duration MASTER_AWAY = Duration.ofSeconds(20);

    private static MesosRing ring;

    @BeforeAll
    static void start() {
        Assumptions.assumeTrue(Playground.metronome().isPresent(), "metronome is not built");
        Optional<String> lacks = MesosTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        ring = MesosRing.up();
    }

    @AfterAll
    static void stop() {
        if (ring != null) {
            ring.close();
        }
    }

    @BeforeEach
    void the_ring_is_whole() {
        ring.whole();
    }

    private static ProcessHandle executor(int index) {
        return Processes.only("ExecutorMain", Playground.HOME.toString(), "rides/dc1/node-" + index + " ");
    }

    private static void awaitExit(int index, NodeState before) {
        Patience.until(
                "an exit of its daemon",
                MesosRing.SOON,
                () -> ring.node(index),
                now -> !Objects.equals(now.exits(), before.exits()));
    }

    private static void assertMadeAgain(int index, NodeState before, Map<String, String> launchesBefore) {
        NodeState after = MesosRing.node(ring.whole(), index);
        assertThat(after.hostId()).isEqualTo(before.hostId());
        assertThat(after.machine()).isEqualTo(before.machine());
        Map<String, String> launches = ring.launches();
        String allocation = MesosRing.allocation(index);
        assertThat(launches.remove(allocation)).isNotEqualTo(launchesBefore.remove(allocation));
        assertThat(launches).isEqualTo(launchesBefore);
    }

    private static void awaitMachines(String what, boolean unreachable) {
        Patience.until(
                what,
                MesosRing.SOON,
                () -> ring.server.run("machine", "list"),
                text -> text.contains("unreachable") == unreachable);
    }

    @Test
    @Order(1)
    void a_killed_daemon_is_started_again_in_its_task() {
        Map<String, String> tasks = ring.launches();
        NodeState before = ring.node(0);
        Processes.kill9(Processes.only("companion.Launch", "vol-" + MesosRing.allocation(0)));
        awaitExit(0, before);
        assertThat(MesosRing.node(ring.whole(), 0).hostId()).isEqualTo(before.hostId());
        assertThat(ring.launches()).isEqualTo(tasks);
    }

    @Test
    @Order(2)
    void a_killed_executor_is_launched_again_on_its_volume() {
        Map<String, String> tasks = ring.launches();
        NodeState before = ring.node(1);
        Processes.kill9(executor(1));
        Patience.until(
                "another task",
                MesosRing.SOON,
                ring::launches,
                now -> now.size() == MesosRing.NODES && !now.equals(tasks));
        assertMadeAgain(1, before, tasks);
    }

    @Test
    @Order(3)
    void an_agent_that_restarts_keeps_its_task() {
        Map<String, String> runs = ring.runs();
        String registered = registrations();
        Processes.kill9(ring.mesos.process("agent2"));
        ring.mesos.start("agent2");
        Patience.until(
                "the agent registers again",
                MesosRing.SOON,
                MesosOutagesTest::registrations,
                now -> !now.isEmpty() && !now.equals(registered));
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    private static String registrations() {
        return ring.mesos.ask("GET_AGENTS").findValues("reregistered_time").toString();
    }

    @Test
    @Order(4)
    void an_agent_that_is_away_is_not_dead_and_its_task_runs_on() {
        Map<String, String> runs = ring.runs();
        Processes.kill9(ring.mesos.process("agent3"));
        awaitMachines("the agent is lost", true);
        ring.mesos.start("agent3");
        awaitMachines("the agent is back", false);
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(5)
    void a_master_that_is_away_and_back_disturbs_no_task() throws InterruptedException {
        Map<String, String> runs = ring.runs();
        Processes.kill9(ring.mesos.process("master"));
        ring.says("the pool of dc1 does not answer now");
        Thread.sleep(MASTER_AWAY.toMillis());
        ring.mesos.start("master");
        Patience.until("the agents are back", MesosRing.SOON, ring::launches, now -> now.size() == MesosRing.NODES);
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(6)
    void a_server_that_dies_finds_its_framework_and_what_happened_meanwhile() {
        Map<String, String> tasks = ring.launches();
        List<String> frameworks = frameworks();
        NodeState before = ring.node(2);
        ProcessHandle executor = executor(2);
        ring.server.diesAndComesBack();
        Processes.kill9(executor);
        Patience.until(
                "another task",
                MesosRing.SOON,
                ring::launches,
                now -> now.size() == MesosRing.NODES && !now.equals(tasks));
        assertMadeAgain(2, before, tasks);
        assertThat(frameworks()).isEqualTo(frameworks).hasSize(1);
    }

    private static List<String> frameworks() {
        return ring.mesos.ask("GET_FRAMEWORKS").findValues("framework_info").stream()
                .map(f -> f.path("id").path("value").asText())
                .toList();
    }

    @Test
    @Order(7)
    void no_request_failed_and_every_acknowledged_row_is_there() throws InterruptedException {
        ring.load.assertNothingFailedAndNothingLost(ring.whole());
    }
}
