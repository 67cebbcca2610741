package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes and a datacenter join and leave a cluster that is written to, while a newcomer fails and servers die at each
 * step: no acknowledged row is lost, nobody else is touched, and what was begun comes to its end.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RingChangeFailuresTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final NodeId NEWCOMER = NodeId.of("rides/dc1/node-2");

    private static Playground playground;
    private static Declaration declaration;
    private static CqlSession session;
    private static Ledger ledger;

    @BeforeAll
    static void a_cluster_of_two_nodes_in_one_datacenter() {
        playground = Playground.up(EachReplica.options("--nodes", "2"));
        playground.whole(4, SOON);
        declaration = Declaration.of(playground);
        declaration.beginsInDc1(SOON);
        session = Playground.session(playground.whole(2, SOON), "dc1");
        Ddl.execute(session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        ledger = new Ledger(session);
    }

    @AfterAll
    static void stop() {
        if (ledger != null) {
            ledger.close();
            session.close();
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_newcomer_is_stuck_while_it_joins_and_then_dies() {
        scaleTo(3);
        Patience.until("it to join", SOON, () -> newcomer().mode(), m -> m == OperatingMode.JOINING);
        ProcessHandle stuck = playground.daemon("dc1", NEWCOMER.index());
        Processes.signal("STOP", stuck);
        Patience.until(
                "the plan to say that its companion does not answer",
                SOON,
                RingChangeFailuresTest::reasons,
                r -> r.contains("its companion does not answer"));
        assertThat(playground.status().normal()).as("nodes that serve").isEqualTo(2);
        assertThat(steps("cleanup")).allSatisfy(s -> assertThat(s.status()).isEqualTo(StepState.Status.PENDING));
        Processes.kill9(stuck);
        playground.whole(3, SOON);
        assertThat(steps("cleanup")).hasSize(2).allSatisfy(s -> assertThat(s.status())
                .isEqualTo(StepState.Status.DONE));
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(2)
    void the_server_dies_at_each_step_while_a_node_leaves() {
        var death = new DeathAtEachStep(playground, "dc1");
        scaleTo(2);
        assertThat(death.until(2, SOON)).contains("leave dc1 node-2");
        ledger.assertKept(List.of(session), SOON);
    }

    /** Both members are stopped before they stream, so that no stream can end before one of them dies. */
    @Test
    @Order(3)
    void a_member_dies_while_it_streams_to_a_newcomer() {
        ProcessHandle source = playground.daemon("dc1", 0);
        ProcessHandle other = playground.daemon("dc1", 1);
        scaleTo(3);
        Patience.until(
                "the newcomer to wait before it streams",
                SOON,
                () -> newcomer().activity(),
                a -> a.contains("before it streams"));
        Processes.signal("STOP", source);
        Processes.signal("STOP", other);
        try {
            Patience.until(
                    "the newcomer to stream",
                    SOON,
                    () -> newcomer().activity(),
                    a -> a.startsWith("streaming its ranges"));
            Processes.kill9(source);
        } finally {
            Processes.signal("CONT", other);
        }
        NodeState failed = Patience.until(
                "its bootstrap to fail",
                SOON,
                RingChangeFailuresTest::newcomer,
                n -> n.exits() != null && n.exits() > 0 && n.problem() != null);
        assertThat(failed.problem().message()).startsWith("its bootstrap failed");
        playground.whole(3, SOON);
        ledger.assertKept(List.of(session), SOON);
        scaleTo(2);
        playground.whole(2, SOON);
    }

    @Test
    @Order(4)
    void the_server_dies_at_each_step_while_a_node_joins() {
        var death = new DeathAtEachStep(playground, "dc1");
        scaleTo(3);
        assertThat(death.until(3, SOON)).contains("dc1 node-2", "cleanup dc1 node-0", "cleanup dc1 node-1");
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(5)
    void the_servers_die_at_each_step_while_a_datacenter_joins() {
        scaleTo(2);
        playground.whole(2, SOON);
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        declaration.apply("dc1", "dc2");
        assertThat(death.until(4, SOON))
                .contains("dc2 node-0", "dc2 node-1", "rebuild dc2 node-0", "rebuild dc2 node-1")
                .anyMatch(s -> s.startsWith("replicate"));
        try (CqlSession inDc2 = Playground.session(playground.status(), "dc2")) {
            ledger.assertKept(List.of(session, inDc2), SOON);
        }
    }

    @Test
    @Order(6)
    void the_servers_die_at_each_step_while_a_datacenter_leaves() {
        Patience.until("the removal to be accepted", SOON, () -> declaration.refusal("dc1"), String::isEmpty);
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        declaration.apply("dc1");
        assertThat(death.until(2, SOON)).contains("leave dc2 node-0", "leave dc2 node-1");
        ledger.assertKept(List.of(session), SOON);
    }

    private static void scaleTo(int nodes) {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", Integer.toString(nodes), "--yes");
    }

    private static NodeState newcomer() {
        return playground.client("dc1").status(Playground.RIDES, Scope.LOCAL).datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .filter(n -> n.node().equals(NEWCOMER))
                .findFirst()
                .orElseThrow();
    }

    /** Of the newest plan of dc1, in the phase of this name. */
    private static List<StepState> steps(String phase) {
        return playground.client("dc1").plans(Playground.RIDES, Scope.LOCAL).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow()
                .phases()
                .stream()
                .filter(p -> p.name().equals(phase))
                .flatMap(p -> p.steps().stream())
                .toList();
    }

    private static String reasons() {
        return steps("deploy").stream().map(s -> String.valueOf(s.reason())).collect(Collectors.joining("; "));
    }
}
