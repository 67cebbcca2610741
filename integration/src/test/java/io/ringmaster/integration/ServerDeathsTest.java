package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * The servers of both datacenters die at each step of operations that move no node: what was begun comes to its end,
 * and no acknowledged row is lost. {@link ServerFailuresTest} has a restart, {@link RingChangeFailuresTest} what joins
 * and leaves.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServerDeathsTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final List<String> DATACENTERS = List.of("dc1", "dc2");

    private static Playground playground;
    private static CqlSession session;
    private static CqlSession inDc2;
    private static Ledger ledger;

    @BeforeAll
    static void two_datacenters_of_two_nodes_with_data() {
        playground = Playground.up(EachReplica.options("--nodes", "2"));
        ClusterStatus status = playground.whole(4, SOON);
        session = Playground.session(status, "dc1");
        inDc2 = Playground.session(status, "dc2");
        Ddl.execute(
                session,
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 2}");
        ledger = new Ledger(session);
    }

    @AfterAll
    static void stop() {
        if (ledger != null) {
            ledger.close();
            session.close();
            inDc2.close();
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void while_a_repair_goes_from_node_to_node() {
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        playground.run("repair", "start", "rides", "--yes");
        assertThat(death.until(4, SOON)).contains("dc1 node-0", "dc1 node-1", "dc2 node-0", "dc2 node-1");
        assertComplete("repair");
        assertThat(playground.run("repair", "list", "rides")).contains("trips");
        ledger.assertKept(List.of(session, inDc2), SOON);
    }

    @Test
    @Order(2)
    void while_parameters_are_set_live() {
        List<Long> before = daemons();
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        String spec = playground.client("dc1").spec(Playground.RIDES).source();
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        spec.replaceFirst(
                                "(?m)^cassandra_yaml:.*$", "cassandra_yaml: {compaction_throughput: 24MiB/s}"),
                        null,
                        ChangeOptions.APPLY);
        assertThat(death.until(4, SOON)).contains("dc1 node-0", "dc1 node-1", "dc2 node-0", "dc2 node-1");
        assertThat(daemons()).as("daemons, none restarted").isEqualTo(before);
        assertThat(playground.status().datacenters())
                .flatExtracting(d -> d.nodes())
                .allSatisfy(n -> assertThat(n.setLive()).containsKey("compaction_throughput"));
        ledger.assertKept(List.of(session, inDc2), SOON);
    }

    @Test
    @Order(3)
    void while_the_cluster_is_stopped() {
        ledger.close();
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        playground.run("cluster", "stop", "rides", "--yes");
        assertThat(death.untilOver(SOON)).contains("dc1 node-0", "dc2 node-1");
        assertComplete("stop");
        assertThat(daemons()).isEmpty();
    }

    @Test
    @Order(4)
    void while_the_cluster_is_started_again() {
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        playground.run("cluster", "start", "rides", "--yes");
        assertThat(death.until(4, SOON)).contains("dc1 node-0", "dc2 node-1");
        assertComplete("start");
        ledger.assertKept(List.of(session, inDc2), SOON);
    }

    @Test
    @Order(5)
    void while_the_cluster_is_deleted() {
        session.close();
        inDc2.close();
        var death = new DeathAtEachStep(playground, "dc1", "dc2");
        playground.run("cluster", "delete", "rides", "--yes");
        assertThat(death.untilOver(SOON)).anyMatch(s -> s.startsWith("stop")).anyMatch(s -> s.startsWith("release"));
        for (String datacenter : DATACENTERS) {
            Patience.until(
                    "the cluster to be gone in " + datacenter,
                    SOON,
                    () -> playground.client(datacenter).clusters(Scope.LOCAL).items(),
                    List::isEmpty);
            assertThat(Stream.of(0, 1)
                            .map(i -> playground.allocation(datacenter, i).resolve("volume/data")))
                    .as("volumes, which are kept")
                    .allMatch(Files::isDirectory);
        }
        assertThat(daemons()).isEmpty();
        assertThat(Processes.mentioning("ExecutorMain", Playground.HOME.toString()))
                .isEmpty();
    }

    /** In both datacenters, and not merely over. */
    private static void assertComplete(String operation) {
        assertThat(playground.client("dc1").plans(Playground.RIDES).items().stream()
                        .filter(p -> p.operation().equals(operation))
                        .map(Plan::status))
                .containsExactly(PlanStatus.COMPLETE, PlanStatus.COMPLETE);
    }

    private static List<Long> daemons() {
        return Processes.mentioning("companion.Launch", Playground.HOME.toString()).stream()
                .map(ProcessHandle::pid)
                .sorted()
                .toList();
    }
}
