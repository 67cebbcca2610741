package io.ringmaster.integration;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.MachineState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Three clusters on three machines: two nodes of rides, two of trips in half of its size, and one of eats. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedMachinesTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final ClusterName EATS = new ClusterName("eats");
    private static final ClusterName TRIPS = new ClusterName("trips");
    private static final Map<ClusterName, Integer> NODES = Map.of(Playground.RIDES, 2, EATS, 1, TRIPS, 2);

    private static Playground playground;
    private static final Map<ClusterName, CqlSession> sessions = new TreeMap<>();

    @BeforeAll
    static void three_clusters_on_one_playground() {
        playground = Playground.up("--datacenters", "1", "--nodes", "2");
        SmallCluster.declare(playground, TRIPS, 2, "");
        SmallCluster.declare(playground, EATS, 1, "");
        NODES.forEach((cluster, nodes) ->
                sessions.put(cluster, Playground.session(playground.whole(cluster, nodes, SOON), "dc1")));
    }

    @AfterAll
    static void stop() {
        sessions.values().forEach(CqlSession::close);
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void each_node_has_a_volume_ports_and_a_share_of_its_machine_for_itself() {
        List<MachineState> machines = playground.client("dc1").machines().items();
        Map<String, Set<ClusterName>> clusters = machines.stream()
                .collect(toMap(m -> m.machine().name().value(), m -> m.allocations().stream()
                        .map(a -> a.allocation().node().cluster())
                        .collect(toSet())));
        assertThat(clusters)
                .containsEntry("machine-1", Set.of(Playground.RIDES, TRIPS))
                .containsEntry("machine-2", Set.of(Playground.RIDES, EATS))
                .containsEntry("machine-3", Set.of(TRIPS));
        assertThat(machines).allSatisfy(m -> {
            assertThat(m.allocations())
                    .flatExtracting(a -> a.allocation().ports().all())
                    .doesNotHaveDuplicates();
            assertThat(m.freeCpuMillis()).isNotNegative();
            assertThat(m.freeMemoryBytes()).isNotNegative();
        });
        assertThat(machines.stream().flatMap(m -> m.allocations().stream()))
                .hasSize(5)
                .extracting(a -> a.allocation().id())
                .doesNotHaveDuplicates();
    }

    @Test
    @Order(2)
    void the_kernel_holds_each_daemon_to_what_its_cluster_asked_for() {
        List<AllocationState> all = playground.client("dc1").machines().items().stream()
                .flatMap(m -> m.allocations().stream())
                .toList();
        Assumptions.assumeTrue(all.stream().allMatch(a -> a.warning() == null), "no limits are in force here");
        assertThat(all).allSatisfy(a -> assertThat(CpuLimit.millis(Processes.only(
                        "companion.Launch",
                        Playground.HOME + "/",
                        "/" + a.allocation().id() + "/")))
                .isEqualTo(a.allocation().node().cluster().equals(Playground.RIDES) ? 1000 : 500));
    }

    @Test
    @Order(3)
    void each_cluster_answers_with_rows_of_its_own() {
        sessions.forEach((cluster, session) -> {
            Ddl.execute(
                    session,
                    "CREATE KEYSPACE whose WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': "
                            + NODES.get(cluster) + "}");
            Ddl.execute(session, "CREATE TABLE whose.name (id int PRIMARY KEY, cluster text)");
            session.execute(quorum("INSERT INTO whose.name (id, cluster) VALUES (1, '" + cluster + "')"));
        });
        sessions.forEach((cluster, session) -> assertThat(session.execute(quorum("SELECT cluster FROM whose.name"))
                        .all())
                .extracting(row -> row.getString(0))
                .containsExactly(cluster.value()));
    }

    @Test
    @Order(4)
    void one_cluster_is_restarted_and_one_deleted_while_the_third_serves() {
        List<Long> rides = daemons(Playground.RIDES);
        List<Long> eats = daemons(EATS);
        CqlSession session = sessions.get(Playground.RIDES);
        try (var reader = new SteadyReader(session, quorum("SELECT cluster FROM whose.name WHERE id = 1"));
                var writer = new SteadyReader(
                        session,
                        number -> quorum("INSERT INTO whose.name (id, cluster) VALUES (" + number + ", 'x')"))) {
            playground.run("cluster", "restart", "eats", "--yes", "--wait");
            sessions.remove(TRIPS).close();
            playground.run("cluster", "delete", "trips", "--destroy-data", "--yes", "--wait");
            reader.assertServed();
            writer.assertServed();
        }
        assertThat(daemons(Playground.RIDES)).isEqualTo(rides);
        assertThat(daemons(EATS)).hasSize(1).doesNotContainAnyElementsOf(eats);
        assertThat(daemons(TRIPS)).isEmpty();
        assertThat(playground.client("dc1").machines().items().stream()
                        .flatMap(m -> m.allocations().stream())
                        .map(a -> a.allocation().node().cluster().value())
                        .collect(toSet()))
                .containsExactlyInAnyOrder("rides", "eats");
        playground.whole(EATS, 1, SOON);
        assertThat(sessions.get(EATS).execute("SELECT id FROM whose.name").all())
                .hasSize(1);
    }

    private static List<Long> daemons(ClusterName cluster) {
        return Processes.mentioning("companion.Launch", Playground.HOME + "/", "/allocations/" + cluster + "-dc1-node-")
                .stream()
                .map(ProcessHandle::pid)
                .sorted()
                .toList();
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }
}
