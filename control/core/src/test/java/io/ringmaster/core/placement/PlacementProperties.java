package io.ringmaster.core.placement;

import static io.ringmaster.core.Samples.DC1;
import static io.ringmaster.core.Samples.GIB;
import static io.ringmaster.core.Samples.MIB;
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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PlacementProperties {
    /** Random clusters placed one after another on random machines, as far as there is room. */
    private record Fleet(List<Machine> machines, List<ClusterSpec> specs, List<Allocation> claims) {}

    private static Fleet fleet(long seed) {
        Random random = new Random(seed);
        int racks = 1 + random.nextInt(4);
        List<Machine> machines = IntStream.range(0, 1 + random.nextInt(12))
                .mapToObj(i -> new Machine(
                        new MachineName("m" + i),
                        new RackName("r" + random.nextInt(racks)),
                        "127.1.1." + (1 + i),
                        1000 * (1 + random.nextInt(8)),
                        GIB * (1 + random.nextInt(16)),
                        GIB * (5 + random.nextInt(100)),
                        new PortRange(7000, 7000 + random.nextInt(40)),
                        random.nextInt(10) == 0))
                .toList();
        List<ClusterSpec> specs = new ArrayList<>();
        List<Allocation> claims = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ClusterSpec spec = spec("c" + i, 1 + random.nextInt(5), random);
            specs.add(spec);
            claims.addAll(chosen(place(spec, machines, claims)));
        }
        return new Fleet(machines, specs, claims);
    }

    private static ClusterSpec spec(String name, int nodes, Random random) {
        ClusterSpec spec = Samples.spec(name, nodes, 1);
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                spec.datacenters(),
                new NodeResources(
                        250 * (1 + random.nextInt(6)),
                        512 * MIB * (1 + random.nextInt(6)),
                        256 * MIB,
                        GIB * (1 + random.nextInt(20))),
                spec.jvm(),
                Map.of(),
                new PlacementSpec(1 + random.nextInt(2)));
    }

    private static Placements place(ClusterSpec spec, List<Machine> machines, List<Allocation> claims) {
        int nodes = spec.datacenter(DC1).orElseThrow().nodes();
        return Placement.place(
                spec, DC1, machines, claims, IntStream.range(0, nodes).boxed().toList());
    }

    private static List<Allocation> chosen(Placements placements) {
        return placements.nodes().stream().flatMap(n -> n.chosen().stream()).toList();
    }

    @Property(tries = 500)
    void no_machine_is_given_more_than_it_has(@ForAll long seed) {
        Fleet fleet = fleet(seed);
        for (Machine machine : fleet.machines()) {
            List<NodeResources> on = fleet.claims().stream()
                    .filter(a -> a.machine().equals(machine.name()))
                    .map(Allocation::resources)
                    .toList();
            assertThat(on.stream().mapToInt(NodeResources::cpuMillis).sum()).isLessThanOrEqualTo(machine.cpuMillis());
            assertThat(on.stream().mapToLong(NodeResources::memoryBytes).sum())
                    .isLessThanOrEqualTo(machine.memoryBytes());
            assertThat(on.stream().mapToLong(NodeResources::diskBytes).sum()).isLessThanOrEqualTo(machine.diskBytes());
            assertThat(machine.cordoned() && !on.isEmpty()).isFalse();
        }
    }

    @Property(tries = 500)
    void a_machine_holds_no_more_nodes_of_a_cluster_than_allowed(@ForAll long seed) {
        Fleet fleet = fleet(seed);
        for (ClusterSpec spec : fleet.specs()) {
            Map<MachineName, Long> perMachine = fleet.claims().stream()
                    .filter(a -> a.node().cluster().equals(spec.name()))
                    .collect(Collectors.groupingBy(Allocation::machine, Collectors.counting()));
            assertThat(perMachine.values()).allMatch(n -> n <= spec.placement().nodesPerMachine());
        }
    }

    @Property(tries = 500)
    void no_port_of_an_address_is_given_twice_and_all_lie_in_its_range(@ForAll long seed) {
        Fleet fleet = fleet(seed);
        Map<MachineName, Machine> byName =
                fleet.machines().stream().collect(Collectors.toMap(Machine::name, Function.identity()));
        Set<String> taken = new HashSet<>();
        for (Allocation claim : fleet.claims()) {
            for (int port : claim.ports().all()) {
                assertThat(taken.add(byName.get(claim.machine()).address() + ":" + port))
                        .isTrue();
                assertThat(byName.get(claim.machine()).ports().contains(port)).isTrue();
            }
        }
    }

    @Property(tries = 200)
    void with_room_everywhere_racks_are_even_and_neighbours_are_in_different_racks(
            @ForAll @IntRange(min = 1, max = 30) int nodes, @ForAll @IntRange(min = 1, max = 5) int racks) {
        List<Machine> machines = IntStream.range(0, nodes * racks)
                .mapToObj(i -> new Machine(
                        new MachineName("m" + i),
                        new RackName("r" + i % racks),
                        "10.0.0." + i,
                        8000,
                        64 * GIB,
                        1000 * GIB,
                        new PortRange(7000, 9999),
                        false))
                .toList();
        List<RackName> byIndex = place(Samples.spec("rides", nodes, 1), machines, List.of()).nodes().stream()
                .map(NodePlacement::rack)
                .toList();
        Map<RackName, Long> count =
                byIndex.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long least = count.size() < racks ? 0 : Collections.min(count.values());
        assertThat(Collections.max(count.values()) - least).isLessThanOrEqualTo(1);
        int window = Math.min(racks, nodes);
        for (int i = 0; i + window <= nodes; i++) {
            assertThat(new HashSet<>(byIndex.subList(i, i + window))).hasSize(window);
        }
    }

    @Property(tries = 200)
    void the_order_of_the_inputs_changes_nothing(@ForAll long seed) {
        Fleet fleet = fleet(seed);
        ClusterSpec spec = spec("late", 3, new Random(seed));
        List<Machine> machines = new ArrayList<>(fleet.machines());
        List<Allocation> claims = new ArrayList<>(fleet.claims());
        Placements first = place(spec, machines, claims);
        Collections.shuffle(machines, new Random(seed));
        Collections.shuffle(claims, new Random(seed));
        assertThat(place(spec, machines, claims)).isEqualTo(first);
    }

    @Property(tries = 200)
    void each_machine_that_was_not_chosen_has_its_reason(@ForAll long seed) {
        Fleet fleet = fleet(seed);
        ClusterSpec spec = spec("late", 3, new Random(seed));
        for (NodePlacement node : place(spec, fleet.machines(), fleet.claims()).nodes()) {
            assertThat(node.rejected())
                    .hasSize(fleet.machines().size() - (node.chosen().isPresent() ? 1 : 0))
                    .allSatisfy(r -> assertThat(r.reason()).isNotBlank());
        }
    }
}
