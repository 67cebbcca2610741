package io.ringmaster.integration;

import static io.ringmaster.integration.ServingDatacenter.quorum;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A machine that two clusters share is left, and another one lost for good, under steady reads and writes at
 * LOCAL_QUORUM.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EvacuateTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final ClusterName EATS = new ClusterName("eats");
    private static final int ORDERS = 100;
    private static final Playground playground = Playground.attached();
    private static CqlSession eats;

    /** The spare machines are in the racks of the first two nodes, which are seeds. */
    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter("--spare-machines", "2");

    @BeforeAll
    static void a_second_cluster_beside_it() {
        SmallCluster.declare(playground, EATS, 2, ", racks: [r1, r2]");
        eats = Playground.session(playground.whole(EATS, 2, SOON), "dc1");
        Ddl.execute(eats, "CREATE KEYSPACE eats WITH replication = {'class':'NetworkTopologyStrategy','dc1':2}");
        Ddl.execute(eats, "CREATE TABLE eats.ordered (number int PRIMARY KEY, dish text)");
        IntStream.range(0, ORDERS)
                .forEach(i ->
                        eats.execute(quorum("INSERT INTO eats.ordered (number, dish) VALUES (" + i + ", 'thali')")));
    }

    @AfterAll
    static void close() {
        if (eats != null) {
            eats.close();
        }
    }

    @Test
    @Order(1)
    void a_machine_whose_node_fits_nowhere_else_is_not_touched() {
        Playground.Result refused = Playground.attempt(List.of("machine", "evacuate", "dc1/machine-3", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output())
                .contains("machine-3: it is being evacuated", "machine-4: rack: the node must stay in")
                .doesNotContain("is cordoned");
        assertThat(playground.status().normal()).isEqualTo(3);
    }

    @Test
    @Order(2)
    void the_nodes_of_both_clusters_move_to_another_machine_though_the_server_dies_and_no_request_fails() {
        List<Path> former = List.of(
                playground.allocation("dc1", 0), playground.allocation("dc1", 0).resolveSibling("eats-dc1-node-0"));
        assertThat(former).allMatch(Files::isDirectory);
        assertThat(List.of(endpoint(0), endpoint(EATS, 0))).allMatch(e -> isOn(1, e));
        assertThat(playground.run("machine", "evacuate", "dc1/machine-1", "--yes", "--why", "its disk ages"))
                .contains("evacuate rides", "evacuate eats", "move dc1 node-0", "dc1/machine-1 is cordoned")
                .contains("keyspace eats has 2 replicas in dc1: LOCAL_QUORUM and QUORUM requests for");
        Patience.until(
                "the newcomer to join",
                SOON,
                playground::status,
                s -> node(s, 0).mode() == OperatingMode.JOINING);
        DeadServer.of(playground, "dc1").comesBack();
        playground.whole(3, SOON);
        playground.whole(EATS, 2, SOON);
        assertThat(List.of(endpoint(0), endpoint(EATS, 0))).allMatch(e -> isOn(4, e));
        assertThat(List.of(evacuations(Playground.RIDES), evacuations(EATS)))
                .as("the plans, which the next leader completes")
                .containsOnly(List.of(PlanStatus.COMPLETE));
        assertThat(playground.run("machine", "list")).contains("cordoned");
        assertThat(former).allSatisfy(place -> {
            assertThat(place.resolve("volume/data")).as("its old volume").isDirectory();
            assertThat(Processes.mentioning(place + "/")).as("what runs there").isEmpty();
        });
        rides.assertNothingLost();
        assertThat(eats.execute(quorum("SELECT number FROM eats.ordered")).all())
                .hasSize(ORDERS);
    }

    private static List<PlanStatus> evacuations(ClusterName cluster) {
        return playground.client("dc1").plans(cluster).items().stream()
                .filter(p -> p.operation().equals("evacuate"))
                .map(Plan::status)
                .toList();
    }

    @Test
    @Order(3)
    void the_node_of_a_machine_that_stays_lost_is_replaced_without_being_asked_though_the_server_dies_at_each_step() {
        String source = playground.client("dc1").spec(Playground.RIDES).source();
        playground
                .client("dc1")
                .apply(Playground.RIDES, source + "\nreplace: {after: 1m}\n", null, ChangeOptions.APPLY);
        playground.whole(3, SOON);
        assertThat(endpoint(1)).matches(e -> isOn(2, e));
        assertThat(endpoint(EATS, 1)).matches(e -> isOn(2, e));
        var death = new DeathAtEachStep(playground, "dc1");
        playground.run("playground", "kill", "dc1/machine-2");
        Patience.until("its replacement to be asked for", SOON, EvacuateTest::audit, a -> a.contains("automatic"));
        assertThat(audit())
                .contains("machine-2 has been lost since", "for more than 1m")
                .doesNotContain("replace eats");
        assertThat(death.until(3, SOON)).contains("replace dc1 node-1");
        assertThat(endpoint(1)).matches(e -> isOn(5, e));
        rides.assertNothingLost();
    }

    private static String audit() {
        return playground.run("audit", "-o", "json");
    }

    /** Whether an endpoint is on a machine of dc1. */
    private static boolean isOn(int machine, String endpoint) {
        return endpoint.matches(Playground.endpoint(1, String.valueOf(machine)));
    }

    private static String endpoint(int node) {
        return endpoint(Playground.RIDES, node);
    }

    private static String endpoint(ClusterName cluster, int node) {
        return node(playground.client("dc1").status(cluster, Scope.LOCAL), node).storageEndpoint();
    }

    private static NodeState node(ClusterStatus status, int node) {
        return status.datacenters().get(0).nodes().get(node);
    }
}
