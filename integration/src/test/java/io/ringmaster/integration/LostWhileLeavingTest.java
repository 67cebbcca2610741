package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A node that loses its volume while it hands its ranges over can neither continue nor start again: another node
 * removes it from the ring.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class LostWhileLeavingTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final Playground playground = Playground.attached();

    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter("--spare-machines", "1");

    @Test
    void a_node_that_loses_its_volume_while_it_leaves_is_taken_out_of_the_ring_by_another() {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes", "--wait");
        playground.whole(4, SOON);
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "3", "--yes");
        Patience.until(
                "node-3 hands its ranges over", SOON, () -> nodes().get(3), n -> n.mode() == OperatingMode.LEAVING);
        LostDisk.of(playground, NodeId.of("rides/dc1/node-3"), "dc1/machine-4");
        Patience.until("the step that has it leave is over", SOON, LostWhileLeavingTest::leave, s -> s.status()
                .isOver());
        assertThat(leave().reason()).isEqualTo("lost its volume while it was leaving; node-0 removed it from the ring");
        playground.whole(3, SOON);
        assertThat(nodes()).allSatisfy(n -> assertThat(n.effectiveOwnership()).containsEntry("trips", 1.0));
        rides.assertNothingLost();
    }

    private static List<NodeState> nodes() {
        return playground.status().datacenters().get(0).nodes();
    }

    private static StepState leave() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .flatMap(p -> p.phases().stream())
                .filter(p -> p.name().equals("leave"))
                .flatMap(p -> p.steps().stream())
                .findFirst()
                .orElseThrow();
    }
}
