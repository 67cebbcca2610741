package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
 * The life of a cluster with the defaults of a spec, in two datacenters, under steady reads and writes at LOCAL_QUORUM
 * in the first: nodes and a datacenter join and leave, machines are evacuated, a node is replaced, and in the end the
 * cluster is deleted with its data. After each change no request has failed, and each replica alone has every
 * acknowledged row.
 */
@RealNodes
@Tag("cassandra")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DefaultsTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static Playground playground;
    private static Declaration declaration;
    private static CqlSession session;
    private static SteadyRows rows;

    /** Five machines in each datacenter, in the racks r1, r2, r3, r1, r2. */
    @BeforeAll
    static void three_nodes_and_one_in_the_other_datacenter() {
        playground = Playground.up(EachReplica.options("--nodes", "1", "--spare-machines", "2"));
        scale(3);
        session = Playground.session(playground.whole(4, SOON), "dc1");
        rows = new SteadyRows(session, "dc1", 3, ", 'dc2': 1");
        playground.whole(4, SOON);
        declaration = Declaration.of(playground);
    }

    @AfterAll
    static void nothing_is_left() {
        if (rows != null) {
            rows.close();
        }
        if (session != null) {
            session.close();
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    /** That many nodes are healthy, no request has failed, and no row is lost. */
    private static void assertUnharmed(int nodes) {
        playground.whole(nodes, SOON);
        rows.assertNothingLost(SOON);
    }

    private static void scale(int nodes) {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", String.valueOf(nodes), "--yes", "--wait");
    }

    @Test
    @Order(1)
    void a_node_joins() throws IOException {
        scale(4);
        assertUnharmed(5);
        assertThat(playground.machineOf("dc1", 3)).isEqualTo("machine-4");
        for (int index = 0; index < 4; index++) {
            assertNobodyIsLetIn(playground.allocation("dc1", index));
        }
        assertNobodyIsLetIn(playground.allocation("dc2", 0));
    }

    /** Neither Cassandra's default superuser, nor a client without a login. */
    private static void assertNobodyIsLetIn(Path node) throws IOException {
        InetSocketAddress endpoint = CqlPort.of(node).endpoint();
        assertThat(CqlLoginAttempt.as(endpoint, "cassandra", "cassandra"))
                .as("%s lets in cassandra", node)
                .isFalse();
        assertThat(CqlLoginAttempt.anonymous(endpoint))
                .as("%s lets in anybody", node)
                .isFalse();
    }

    @Test
    @Order(2)
    void it_leaves_and_keeps_its_volume() {
        scale(3);
        assertUnharmed(4);
        assertThat(playground.allocation("dc1", 3).resolve("volume/data")).isDirectory();
    }

    /** Onto the machine with the volume of the node that left, which alone is in the rack of machine-1. */
    @Test
    @Order(3)
    void a_machine_is_evacuated() {
        evacuate("machine-1");
        assertThat(playground.machineOf("dc1", 0)).isEqualTo("machine-4");
    }

    /** Onto the machine with its own old volume. */
    @Test
    @Tag("long")
    @Order(4)
    void it_is_evacuated_back() {
        playground.run("machine", "uncordon", "dc1/machine-1");
        evacuate("machine-4");
        assertThat(playground.machineOf("dc1", 0)).isEqualTo("machine-1");
    }

    private static void evacuate(String machine) {
        playground.run("machine", "evacuate", "dc1/" + machine, "--yes", "--wait");
        assertUnharmed(4);
    }

    @Test
    @Order(5)
    void a_node_whose_machine_is_gone_is_replaced() {
        playground.run("playground", "kill", "dc1/machine-2");
        Patience.until(
                "the plan of a replacement",
                SOON,
                () -> Playground.attempt(List.of("node", "replace", "rides/dc1/node-1", "--dry-run")),
                result -> result.exit() == 0);
        playground.run("node", "replace", "rides/dc1/node-1", "--yes", "--wait");
        playground.run("playground", "revive", "dc1/machine-2");
        assertUnharmed(4);
        assertThat(playground.machineOf("dc1", 1)).isEqualTo("machine-5");
    }

    @Test
    @Order(6)
    void every_node_restarts() {
        playground.run("cluster", "restart", "rides", "--yes", "--wait", "--why", "a test");
        assertUnharmed(4);
    }

    @Test
    @Order(7)
    void the_other_datacenter_leaves() {
        declaration.apply("dc1");
        Patience.until(
                "dc2 to have left",
                SOON,
                () -> playground.client("dc2").plans(Playground.RIDES).items(),
                plans -> plans.stream()
                        .anyMatch(p -> p.status() == PlanStatus.COMPLETE
                                && p.phases().stream().anyMatch(f -> f.name().equals("leave"))));
        assertUnharmed(3);
        assertThat(session.execute("SELECT keyspace_name, replication FROM system_schema.keyspaces")
                        .all())
                .filteredOn(row -> row.getFormattedContents().contains("dc2"))
                .as("keyspaces with replicas in dc2")
                .isEmpty();
    }

    @Test
    @Order(8)
    void it_is_added_again() {
        declaration.apply("dc1", "dc2");
        Patience.until(
                "dc2 to serve", SOON, playground::status, s -> s.datacenters().size() == 2 && s.normal() == 4);
        assertUnharmed(4);
    }

    @Test
    @Order(9)
    void a_delete_destroys_every_row_in_every_place_where_a_node_has_been() {
        rows.close();
        assertThat(volumesWithRows()).isNotEmpty();
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        assertThat(playground.client("dc2").clusters(Scope.LOCAL).items()).isEmpty();
        assertThat(volumesWithRows()).as("places with files of rows").isEmpty();
    }

    /** Places of nodes with files of rows: SSTables, commit logs or hints. */
    private static Set<String> volumesWithRows() {
        List<Path> files = new ArrayList<>();
        try {
            for (String datacenter : List.of("dc1", "dc2")) {
                TreeWalk.files(Playground.HOME.resolve("playground/" + datacenter), files::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream()
                .map(Path::toString)
                .filter(f -> f.matches(".*/volume/(data|commitlog|hints|cdc_raw)/.*"))
                .map(f -> f.replaceFirst("/volume/.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
