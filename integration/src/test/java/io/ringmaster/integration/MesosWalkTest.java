package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.pool.mesos.MesosTestbed;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A ring on three agents of a real Mesos, under an open-loop load at LOCAL_QUORUM. */
@RealNodes(tls = false, roles = false, why = "agents of Mesos have no TLS")
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MesosWalkTest {
    private static final String SHARED_MACHINES = "placement: {nodes_per_machine: 2}\n";

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

    @Test
    @Order(1)
    void three_nodes_are_placed_on_three_agents() {
        assertThat(ring.launches()).containsOnlyKeys("rides-dc1-node-0", "rides-dc1-node-1", "rides-dc1-node-2");
        assertThat(ring.mesos.volumes())
                .containsExactlyInAnyOrder("vol-rides-dc1-node-0", "vol-rides-dc1-node-1", "vol-rides-dc1-node-2");
        String machines = ring.server.run("machine", "list");
        for (int agent = 1; agent <= MesosRing.NODES; agent++) {
            assertThat(machines).containsPattern(MesosTestbed.machine(agent) + " +rack" + agent + " .*rides node-");
        }
    }

    @Test
    @Order(2)
    void a_rolling_restart_keeps_the_tasks() {
        Map<String, String> tasks = ring.launches();
        ring.server.run("cluster", "restart", "rides", "--yes", "--wait");
        assertThat(ring.launches()).isEqualTo(tasks);
        assertThat(ring.whole().nodes()).isEqualTo(MesosRing.NODES);
    }

    @Test
    @Order(3)
    void the_cluster_grows_and_shrinks() {
        Map<String, String> tasks = ring.launches();
        ring.server.declare(MesosRing.SPEC.replace("nodes: 3", "nodes: 4") + SHARED_MACHINES);
        ring.server.whole("rides", 4, MesosRing.SOON);
        assertThat(ring.launches()).hasSize(4).containsAllEntriesOf(tasks);
        ring.server.declare(MesosRing.SPEC + SHARED_MACHINES);
        ring.whole();
        assertThat(ring.launches()).isEqualTo(tasks);
    }

    @Test
    @Order(4)
    void no_request_failed_and_every_acknowledged_row_is_there() throws InterruptedException {
        ring.load.assertNothingFailedAndNothingLost(ring.whole());
    }

    @Test
    @Order(5)
    void a_deleted_cluster_leaves_its_volumes_unless_they_are_destroyed() {
        ring.server.run("cluster", "delete", "rides", "--yes", "--wait");
        assertThat(ring.launches()).isEmpty();
        assertThat(ring.mesos.volumes())
                .contains("vol-rides-dc1-node-0", "vol-rides-dc1-node-1", "vol-rides-dc1-node-2");
        ring.server.declare(
                MesosRing.SPEC.replace("cluster: rides", "cluster: short").replace("nodes: 3", "nodes: 1"));
        ring.server.whole("short", 1, MesosRing.SOON);
        assertThat(ring.mesos.volumes()).contains("vol-short-dc1-node-0");
        ring.server.run("cluster", "delete", "short", "--destroy-data", "--yes", "--wait");
        assertThat(ring.mesos.volumes()).contains("vol-rides-dc1-node-0").doesNotContain("vol-short-dc1-node-0");
    }
}
