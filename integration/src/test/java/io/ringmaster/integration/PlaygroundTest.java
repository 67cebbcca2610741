package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
 * The main job, end to end: two datacenters with three real nodes each; then everything that may die is killed, one
 * after another.
 */
@RealNodes
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PlaygroundTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static Playground playground;
    private static CqlSession dc1;
    private static CqlSession dc2;
    private static List<String> endpoints = List.of();

    @BeforeAll
    static void start_two_datacenters_of_three_nodes() {
        playground = Playground.up();
        ClusterStatus status = playground.whole(6, SOON);
        endpoints = status.datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .flatMap(n -> Stream.of(n.cqlEndpoint(), n.storageEndpoint()))
                .map(Objects::requireNonNull)
                .toList();
        dc1 = Playground.session(status, "dc1");
        dc2 = Playground.session(status, "dc2");
        Ddl.execute(
                dc1, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3,'dc2':3}");
        Ddl.execute(dc1, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
    }

    @AfterAll
    static void nothing_is_left_behind() throws Exception {
        try {
            if (dc1 != null) {
                dc1.close();
            }
            if (dc2 != null) {
                dc2.close();
            }
        } finally {
            playground.run("playground", "down");
        }
        assertThat(Processes.mentioning(Playground.HOME.toString()))
                .as("processes of the playground")
                .isEmpty();
        assertThat(endpoints).as("endpoints of the nodes").isNotEmpty();
        for (String endpoint : endpoints) {
            assertFree(URI.create("cql://" + endpoint));
        }
        assertThat(Playground.HOME.resolve("playground/dc1/allocations"))
                .as("volumes of a playground that was not to keep its data")
                .doesNotExist();
    }

    @Test
    @Order(1)
    void all_six_nodes_are_normal_and_see_each_other() {
        ClusterStatus status = playground.status();
        assertThat(status.datacenters()).hasSize(2);
        assertThat(status.datacenters().stream().flatMap(d -> d.nodes().stream()))
                .hasSize(6)
                .allSatisfy(node -> {
                    assertThat(node.mode()).isEqualTo(OperatingMode.NORMAL);
                    assertThat(node.seesNormal()).isEqualTo(6);
                    assertThat(node.releaseVersion()).isEqualTo("5.0.9");
                });
        assertThat(status.datacenters()).allSatisfy(dc -> assertThat(
                        dc.nodes().stream().map(NodeState::rack).distinct())
                .as("racks of " + dc.datacenter())
                .hasSize(3));
    }

    @Test
    @Order(2)
    void the_plans_of_both_datacenters_are_complete() {
        assertThat(playground.client("dc1").plans(Playground.RIDES).items())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(plan -> assertThat(plan.status()).isEqualTo(PlanStatus.COMPLETE));
    }

    @Test
    @Order(3)
    void a_row_written_at_local_quorum_in_dc1_is_read_in_dc2() {
        dc1.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (1, 'Pune')"));
        Patience.until(
                "the row in dc2",
                SOON,
                () -> dc2.execute(quorum("SELECT city FROM trips.place WHERE rider = 1"))
                        .one(),
                row -> row != null && "Pune".equals(row.getString("city")));
    }

    @Test
    @Order(4)
    void the_cql_shell_answers() {
        assertThat(playground.run("cql", "rides", "-e", "SELECT city FROM trips.place WHERE rider = 1"))
                .contains("Pune");
    }

    @Test
    @Order(5)
    void applying_the_same_spec_again_changes_nothing() {
        assertThat(playground
                        .client("dc1")
                        .apply(
                                Playground.RIDES,
                                playground.client("dc1").spec(Playground.RIDES).source(),
                                null,
                                ChangeOptions.APPLY)
                        .changed())
                .isFalse();
    }

    @Test
    @Order(10)
    void a_killed_daemon_is_restarted_and_the_cluster_is_whole_again() {
        ProcessHandle before = playground.daemon("dc1", 1);
        try (var reader = reader()) {
            Processes.kill9(before);
            Patience.until(
                    "another daemon",
                    SOON,
                    () -> Processes.mentioning(
                            "companion.Launch", playground.allocation("dc1", 1).toString()),
                    found -> found.size() == 1 && found.get(0).pid() != before.pid());
            playground.whole(6, SOON);
            reader.assertServed();
        }
    }

    @Test
    @Order(11)
    void a_killed_executor_comes_back_and_its_daemon_never_noticed() {
        ProcessHandle daemon = playground.daemon("dc2", 0);
        ProcessHandle executor = playground.executor("dc2", 0);
        try (var reader = reader()) {
            Processes.kill9(executor);
            Patience.until(
                    "another executor",
                    SOON,
                    () -> Processes.mentioning(
                            "ExecutorMain", playground.allocation("dc2", 0).toString()),
                    found -> found.size() == 1 && found.get(0).pid() != executor.pid());
            playground.whole(6, SOON);
            reader.assertServed();
        }
        assertThat(playground.daemon("dc2", 0).pid()).isEqualTo(daemon.pid());
    }

    @Test
    @Order(12)
    void a_killed_server_leaves_the_nodes_serving_and_takes_them_over_again() {
        List<Long> daemons = daemons();
        ProcessHandle server = playground.server("dc1");
        List<String> command = Processes.commandLine(server.pid());
        try (var reader = reader()) {
            Processes.kill9(server);
            Patience.until(
                    "dc2 to say that dc1 does not answer",
                    SOON,
                    () -> playground.client("dc2").status(Playground.RIDES, Scope.FLEET),
                    s -> s.datacenters().stream().anyMatch(d -> d.silence() != null));
            Processes.detached(command, Playground.HOME.resolve("playground/dc1/again.log"));
            playground.whole(6, SOON);
            reader.assertServed();
        }
        assertThat(daemons()).isEqualTo(daemons);
    }

    @Test
    @Order(13)
    void a_node_restarts_while_its_server_is_down() {
        ProcessHandle server = playground.server("dc2");
        List<String> command = Processes.commandLine(server.pid());
        Processes.kill9(server);
        ProcessHandle daemon = playground.daemon("dc2", 1);
        Processes.kill9(daemon);
        // dc1 sees a node that was killed as NORMAL for seconds: only one that has started again takes clients
        var port = CqlPort.of(playground.allocation("dc2", 1));
        Patience.until("the node to take clients again", SOON, port::takesConnections, taken -> taken);
        assertThat(playground.daemon("dc2", 1).pid()).isNotEqualTo(daemon.pid());
        assertThat(server.isAlive()).isFalse();
        Processes.detached(command, Playground.HOME.resolve("playground/dc2/again.log"));
        playground.whole(6, SOON);
    }

    private static List<Long> daemons() {
        return Processes.mentioning("companion.Launch", Playground.HOME.toString()).stream()
                .map(ProcessHandle::pid)
                .sorted()
                .toList();
    }

    private static SteadyReader reader() {
        return new SteadyReader(dc1, quorum("SELECT city FROM trips.place WHERE rider = 1"));
    }

    private static SimpleStatement quorum(String cql) {
        return SimpleStatement.newInstance(cql)
                .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }

    private static void assertFree(URI endpoint) throws Exception {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(endpoint.getHost()), endpoint.getPort()));
        }
    }
}
