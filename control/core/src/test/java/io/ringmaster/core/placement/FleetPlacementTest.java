package io.ringmaster.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Twenty clusters of three to six nodes and three sizes, declared one after another, on twelve machines in three racks.
 */
class FleetPlacementTest {
    private static final int RACKS = 3;
    private static final List<NodeResources> SIZES = List.of(
            new NodeResources(1000, 4 * Samples.GIB, Samples.GIB, 100 * Samples.GIB),
            new NodeResources(2000, 8 * Samples.GIB, 2 * Samples.GIB, 50 * Samples.GIB),
            new NodeResources(500, 2 * Samples.GIB, Samples.GIB, 200 * Samples.GIB));
    private static final List<Machine> MACHINES = IntStream.range(0, 12)
            .mapToObj(i -> new Machine(
                    new MachineName("machine-" + (i + 1)),
                    new RackName("r" + (i % RACKS + 1)),
                    "127.1.1." + (i + 1),
                    16_000,
                    64 * Samples.GIB,
                    2000 * Samples.GIB,
                    new PortRange(7000, 9999),
                    false))
            .toList();
    private static final List<Allocation> CLAIMS = new ArrayList<>();
    private static int wanted;

    @BeforeAll
    static void place() {
        for (int c = 0; c < 20; c++) {
            int nodes = 3 + c % 4;
            ClusterSpec spec = spec(String.format("c%02d", c), nodes, SIZES.get(c % SIZES.size()));
            Placements placements = Placement.place(
                    spec,
                    Samples.DC1,
                    MACHINES,
                    List.copyOf(CLAIMS),
                    IntStream.range(0, nodes).boxed().toList());
            assertThat(placements.problems()).isEmpty();
            placements.nodes().forEach(n -> CLAIMS.add(n.chosen().orElseThrow()));
            wanted += nodes;
        }
    }

    private static ClusterSpec spec(String name, int nodes, NodeResources resources) {
        ClusterSpec sample = Samples.spec(name, nodes, 1);
        return new ClusterSpec(
                sample.name(),
                sample.cassandraVersion(),
                sample.preset(),
                sample.datacenters(),
                resources,
                sample.jvm(),
                sample.cassandraYaml(),
                new PlacementSpec(2));
    }

    private static Map<Object, List<Allocation>> byCluster() {
        return CLAIMS.stream().collect(Collectors.groupingBy(a -> a.node().cluster()));
    }

    @Test
    void every_node_has_its_place_and_no_machine_is_overcommitted() {
        assertThat(CLAIMS).hasSize(wanted);
        for (Machine machine : MACHINES) {
            List<NodeResources> on = CLAIMS.stream()
                    .filter(a -> a.machine().equals(machine.name()))
                    .map(Allocation::resources)
                    .toList();
            assertThat(on.stream().mapToInt(NodeResources::cpuMillis).sum()).isLessThanOrEqualTo(machine.cpuMillis());
            assertThat(on.stream().mapToLong(NodeResources::memoryBytes).sum())
                    .isLessThanOrEqualTo(machine.memoryBytes());
            assertThat(on.stream().mapToLong(NodeResources::diskBytes).sum()).isLessThanOrEqualTo(machine.diskBytes());
        }
    }

    @Test
    void the_racks_of_each_cluster_differ_by_one_node_at_most() {
        Map<MachineName, RackName> racks = MACHINES.stream().collect(Collectors.toMap(Machine::name, Machine::rack));
        byCluster().values().forEach(claims -> {
            Map<RackName, Long> nodes =
                    claims.stream().collect(Collectors.groupingBy(a -> racks.get(a.machine()), Collectors.counting()));
            assertThat(nodes).hasSize(RACKS);
            assertThat(nodes.values())
                    .allMatch(
                            n -> n - nodes.values().stream().min(Long::compare).orElseThrow() <= 1);
        });
    }

    @Test
    void no_two_nodes_of_a_cluster_share_a_machine_although_they_would_be_allowed_to() {
        byCluster().values().forEach(claims -> assertThat(claims)
                .extracting(Allocation::machine)
                .doesNotHaveDuplicates());
    }
}
