package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A ring on a real Mesos master and three agents, under steady reads and writes at LOCAL_QUORUM. */
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MesosWalkTest {
    private static final Duration SOON = Duration.ofMinutes(6);

    private static MesosTestbed mesos;
    private static PoolServer server;
    private static CqlSession session;
    private static Ledger ledger;
    private static SteadyReader reader;

    @BeforeAll
    static void start() {
        Optional<String> lacks = MesosTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        mesos = MesosTestbed.up();
        server = PoolServer.on(mesos, "mesos-rides", 8080);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable part : Stream.of(ledger, reader, session, server, mesos)
                .filter(Objects::nonNull)
                .toList()) {
            part.close();
        }
    }

    private static String spec(int nodes) {
        return String.join(
                "\n",
                "cluster: rides",
                "cassandra: 5.0.9",
                "preset: development",
                "datacenters: {dc1: {nodes: " + nodes + "}}",
                "node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 4GiB}",
                "jvm: {collector: serial}",
                "placement: {nodes_per_machine: 2}",
                "");
    }

    private static NodeState node(ClusterStatus status, int index) {
        return status.datacenters().get(0).nodes().get(index);
    }

    @Test
    @Order(1)
    void three_nodes_are_placed_on_three_agents() {
        server.declare(spec(3));
        ClusterStatus status = server.whole("rides", 3, SOON);
        assertThat(mesos.tasks()).containsOnlyKeys("rides-dc1-node-0", "rides-dc1-node-1", "rides-dc1-node-2");
        assertThat(mesos.volumes())
                .containsExactlyInAnyOrder("vol-rides-dc1-node-0", "vol-rides-dc1-node-1", "vol-rides-dc1-node-2");
        assertThat(server.run("machine", "list"))
                .containsPattern(MesosTestbed.machine(1) + " +rack1")
                .containsPattern(MesosTestbed.machine(2) + " +rack2");
        session = Playground.session(status, "dc1");
        session.execute("CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
        ledger = new Ledger(session);
        reader = new SteadyReader(
                session,
                SimpleStatement.newInstance("SELECT text FROM trips.ledger WHERE number = 7")
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                        .setIdempotent(true));
    }

    @Test
    @Order(2)
    void a_rolling_restart_fails_no_request_and_keeps_the_tasks() {
        Map<String, String> before = mesos.tasks();
        server.run("cluster", "restart", "rides", "--yes", "--wait");
        reader.assertServed();
        assertThat(ledger.refused()).as("writes refused").isZero();
        assertThat(mesos.tasks()).isEqualTo(before);
    }

    @Test
    @Order(3)
    void a_killed_executor_is_launched_again_with_its_data() {
        Map<String, String> before = mesos.tasks();
        NodeState node = node(server.status("rides"), 1);
        Processes.kill9(Processes.only("ExecutorMain", Playground.HOME.toString(), "rides/dc1/node-1"));
        Patience.until(
                "another task of node-1",
                SOON,
                mesos::tasks,
                tasks -> tasks.size() == 3
                        && !Objects.equals(tasks.get("rides-dc1-node-1"), before.get("rides-dc1-node-1")));
        NodeState after = node(server.whole("rides", 3, SOON), 1);
        assertThat(after.hostId()).isEqualTo(node.hostId());
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(4)
    void an_agent_that_restarts_keeps_its_task_and_one_that_is_away_loses_nothing() {
        Map<String, String> before = mesos.tasks();
        Processes.kill9(mesos.process("agent2"));
        mesos.start("agent2");
        server.whole("rides", 3, SOON);
        assertThat(mesos.tasks()).isEqualTo(before);

        Processes.kill9(mesos.process("agent3"));
        Patience.until(
                "the agent is lost", SOON, () -> server.run("machine", "list"), text -> text.contains("unreachable"));
        mesos.start("agent3");
        Patience.until(
                "the agent is back", SOON, () -> server.run("machine", "list"), text -> !text.contains("unreachable"));
        server.whole("rides", 3, SOON);
        assertThat(mesos.tasks()).isEqualTo(before);
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(5)
    void a_master_that_restarts_and_a_server_that_dies_disturb_no_task() {
        Map<String, String> before = mesos.tasks();
        Processes.kill9(mesos.process("master"));
        mesos.start("master");
        Patience.until("the agents are back", SOON, mesos::tasks, before::equals);
        server.diesAndComesBack();
        server.whole("rides", 3, SOON);
        assertThat(mesos.tasks()).isEqualTo(before);
        reader.assertServed();
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(6)
    void the_cluster_grows_and_shrinks() {
        server.declare(spec(4));
        server.whole("rides", 4, SOON);
        assertThat(mesos.tasks()).hasSize(4);
        server.declare(spec(3));
        server.whole("rides", 3, SOON);
        assertThat(mesos.tasks()).hasSize(3);
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(7)
    void a_deleted_cluster_leaves_its_volumes_unless_they_are_destroyed() {
        ledger.close();
        reader.close();
        server.run("cluster", "delete", "rides", "--yes", "--wait");
        assertThat(mesos.tasks()).isEmpty();
        assertThat(mesos.volumes()).hasSizeGreaterThanOrEqualTo(3);
    }
}
