package io.ringmaster.core.placement;

import static io.ringmaster.core.Samples.DC1;
import static io.ringmaster.core.Samples.DC2;
import static io.ringmaster.core.Samples.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.core.Samples;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SharingTest {
    private static final List<RackName> RACKS = racks("r1", "r2", "r3");
    private static final PortRange PORTS = new PortRange(7000, 9999);

    /** Room for two nodes of {@link #spec}, at most. */
    private static final MachineShape SMALL = new MachineShape(2000, 4 * GIB, 20 * GIB, PORTS);

    private static List<RackName> racks(String... names) {
        return List.of(names).stream().map(RackName::new).toList();
    }

    /** Nodes of a core, 1 GiB of memory and 4 GiB of disk. */
    private static ClusterSpec spec(String name, int nodes) {
        return Samples.spec(name, nodes, 1);
    }

    private static ClusterSpec spec(
            String name, int nodes, NodeResources resources, int perMachine, List<RackName> racks) {
        ClusterSpec spec = spec(name, nodes);
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                List.of(new DatacenterSpec(DC1, nodes, 1, racks)),
                resources,
                spec.jvm(),
                spec.cassandraYaml(),
                new PlacementSpec(perMachine));
    }

    private static NodeResources cores(int cpuMillis) {
        return new NodeResources(cpuMillis, GIB, GIB / 4, GIB);
    }

    private static SharingEstimate estimate(ClusterSpec... mix) {
        return Sharing.estimate(DC1, List.of(mix), List.of(SMALL), RACKS);
    }

    @Test
    void two_clusters_of_three_share_three_machines_and_take_six_apart() {
        SharingEstimate estimate = estimate(spec("rides", 3), spec("eats", 3));
        assertThat(estimate.shared().machines()).isEqualTo(3);
        assertThat(estimate.apart().machines()).isEqualTo(6);
        assertThat(estimate.saved()).isEqualTo(0.5);
        assertThat(estimate.clusters()).isEqualTo(2);
        assertThat(estimate.nodes()).isEqualTo(6);
    }

    @Test
    void what_the_nodes_use_is_a_share_of_the_machines_in_use() {
        SharingEstimate estimate = estimate(spec("rides", 3), spec("eats", 3));
        assertThat(estimate.shared().cpuUsed()).isEqualTo(1.0);
        assertThat(estimate.shared().memoryUsed()).isEqualTo(0.5);
        assertThat(estimate.shared().diskUsed()).isCloseTo(0.4, within(1e-9));
        assertThat(estimate.apart().cpuUsed()).isEqualTo(0.5);
    }

    @Test
    void one_cluster_saves_nothing() {
        assertThat(estimate(spec("rides", 4)).saved()).isZero();
    }

    @Test
    void no_cluster_needs_no_machine() {
        SharingEstimate estimate = estimate();
        assertThat(estimate.shared().machines()).isZero();
        assertThat(estimate.apart().machines()).isZero();
        assertThat(estimate.saved()).isZero();
    }

    @Test
    void no_two_nodes_of_a_cluster_share_a_machine_that_has_room_for_two() {
        MachineShape large = new MachineShape(64_000, 256 * GIB, 2000 * GIB, PORTS);
        SharingEstimate estimate = Sharing.estimate(DC1, List.of(spec("rides", 7)), List.of(large), RACKS);
        assertThat(estimate.shared().machines()).isEqualTo(7);
    }

    @Test
    void no_machine_is_saved_by_placing_more_of_a_cluster_in_one_rack() {
        ClusterSpec full = spec("full", 1, cores(2000), 1, racks("r1"));
        SharingEstimate estimate = estimate(full, spec("rides", 3));
        assertThat(estimate.shared().machines())
                .as("one in r1 is full; three in r1, r2 and r3 beside it")
                .isEqualTo(4);
    }

    @Test
    void a_machine_holds_no_more_nodes_than_it_has_ports_for() {
        MachineShape fewPorts = new MachineShape(16_000, 64 * GIB, 2000 * GIB, new PortRange(7000, 7007));
        ClusterSpec[] mix =
                IntStream.range(0, 3).mapToObj(i -> spec("c" + i, 1)).toArray(ClusterSpec[]::new);
        SharingEstimate estimate = Sharing.estimate(DC1, List.of(mix), List.of(fewPorts), racks("r1"));
        assertThat(estimate.shared().machines()).isEqualTo(2);
    }

    @Test
    void a_cluster_too_large_for_every_machine_is_reported_with_its_field_and_left_out() {
        SharingEstimate estimate = estimate(spec("rides", 3), spec("huge", 3, cores(4000), 1, List.of()));
        assertThat(estimate.misfits()).singleElement().satisfies(m -> {
            assertThat(m.cluster()).hasToString("huge");
            assertThat(m.problems())
                    .extracting(Problem::line)
                    .containsExactly("node.cpus: 4.0 fits no machine of dc1, allowed: up to 2.0");
        });
        assertThat(estimate.clusters()).isEqualTo(1);
        assertThat(estimate.apart().machines()).isEqualTo(3);
    }

    @Test
    void a_rack_that_is_not_there_is_named() {
        SharingEstimate estimate = estimate(spec("rides", 2, cores(500), 1, racks("r1", "r9")));
        assertThat(estimate.misfits().get(0).problems())
                .extracting(Problem::line)
                .containsExactly("datacenters.dc1.racks: 'r9' is not a rack of dc1, allowed: [r1, r2, r3]");
    }

    @Test
    void a_node_whose_parts_fit_different_shapes_fits_none() {
        MachineShape fast = new MachineShape(8000, 2 * GIB, 20 * GIB, PORTS);
        MachineShape roomy = new MachineShape(1000, 64 * GIB, 20 * GIB, PORTS);
        ClusterSpec both = spec("both", 1, new NodeResources(4000, 8 * GIB, GIB, GIB), 1, List.of());
        SharingEstimate estimate = Sharing.estimate(DC1, List.of(both), List.of(fast, roomy), racks("r1"));
        assertThat(estimate.misfits().get(0).problems().get(0).message())
                .contains("memory: needs 8 GiB, 2 GiB free", "cpus: needs 4.0, 1.0 free");
    }

    @Test
    void machines_of_several_shapes_are_added_in_turn_and_empty_ones_do_not_count() {
        MachineShape large = new MachineShape(8000, 16 * GIB, 80 * GIB, PORTS);
        ClusterSpec needsLarge = spec("large", 3, cores(8000), 1, List.of());
        SharingEstimate estimate = Sharing.estimate(DC1, List.of(needsLarge), List.of(SMALL, large), RACKS);
        assertThat(estimate.shared().machines()).isEqualTo(3);
        assertThat(estimate.shared().cpuUsed()).isEqualTo(1.0);
    }

    @Test
    void a_cluster_of_another_datacenter_does_not_count() {
        SharingEstimate estimate = Sharing.estimate(
                DC2, List.of(spec("rides", 3), Samples.spec("eats", 3, 1, 2, 1)), List.of(SMALL), RACKS);
        assertThat(estimate.nodes()).isEqualTo(2);
    }

    /**
     * With one shape, all racks and one node of a cluster per machine, each node has its own machine in the next rack.
     */
    @Property(tries = 200)
    void sharing_never_needs_more_machines_where_each_holds_one_node_of_a_cluster(@ForAll long seed) {
        Random random = new Random(seed);
        List<RackName> racks = RACKS.subList(0, 1 + random.nextInt(3));
        List<ClusterSpec> mix = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            NodeResources size = new NodeResources(
                    250 * (1 + random.nextInt(8)),
                    GIB / 2 * (1 + random.nextInt(8)),
                    GIB / 4,
                    GIB * (1 + random.nextInt(20)));
            mix.add(spec("c" + i, 1 + random.nextInt(7), size, 1, List.of()));
        }
        SharingEstimate estimate = Sharing.estimate(DC1, mix, List.of(SMALL), racks);
        assertThat(estimate.misfits()).isEmpty();
        assertThat(estimate.apart().machines())
                .isEqualTo(mix.stream().mapToInt(s -> s.totalNodes()).sum());
        assertThat(estimate.shared().machines())
                .isLessThanOrEqualTo(estimate.apart().machines());
        assertThat(estimate.shared().cpuUsed()).isLessThanOrEqualTo(1);
    }

    /** Placement spreads a cluster as far as it can, also over machines that a later cluster needs completely. */
    @Test
    void sharing_can_need_more_machines_where_one_may_hold_several_nodes_of_a_cluster() {
        ClusterSpec spread = spec("spread", 4, cores(1000), 2, List.of());
        ClusterSpec whole = spec("whole", 1, cores(2000), 1, List.of());
        SharingEstimate late = Sharing.estimate(DC1, List.of(spread, whole), List.of(SMALL), racks("r1"));
        assertThat(late.apart().machines()).isEqualTo(3);
        assertThat(late.shared().machines()).isEqualTo(5);
        assertThat(late.saved()).isNegative();
        SharingEstimate early = Sharing.estimate(DC1, List.of(whole, spread), List.of(SMALL), racks("r1"));
        assertThat(early.shared().machines()).isEqualTo(3);
    }
}
