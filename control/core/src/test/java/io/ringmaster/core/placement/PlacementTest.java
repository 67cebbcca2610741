package io.ringmaster.core.placement;

import static io.ringmaster.core.Samples.DC1;
import static io.ringmaster.core.Samples.GIB;
import static io.ringmaster.core.Samples.MIB;
import static io.ringmaster.core.Samples.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineBuilder;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final List<Machine> PLAYGROUND = List.of(machine(1, "r1"), machine(2, "r2"), machine(3, "r3"));

    private static Placements place(ClusterSpec spec, List<Machine> machines, List<Allocation> existing, int nodes) {
        return Placement.place(
                spec, DC1, machines, existing, IntStream.range(0, nodes).boxed().toList());
    }

    private static List<Allocation> allocations(Placements placements) {
        return placements.nodes().stream().map(n -> n.chosen().orElseThrow()).toList();
    }

    private static List<String> machines(Placements placements) {
        return allocations(placements).stream().map(a -> a.machine().value()).toList();
    }

    private static ClusterSpec needing(NodeResources resources, int nodesPerMachine) {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                spec.datacenters(),
                resources,
                spec.jvm(),
                spec.cassandraYaml(),
                new PlacementSpec(nodesPerMachine));
    }

    private static List<String> reasons(Placements placements, int node) {
        return placements.nodes().get(node).rejected().stream()
                .map(Object::toString)
                .toList();
    }

    private static Machine with(Machine m, long memoryBytes, long diskBytes, PortRange ports, boolean cordoned) {
        return new Machine(m.name(), m.rack(), m.address(), m.cpuMillis(), memoryBytes, diskBytes, ports, cordoned);
    }

    @Test
    void three_nodes_take_one_machine_in_each_rack_and_the_usual_ports() {
        Placements placements = place(Samples.spec("rides", 3, 2), PLAYGROUND, List.of(), 3);
        assertThat(machines(placements)).containsExactly("machine-1", "machine-2", "machine-3");
        assertThat(allocations(placements))
                .allSatisfy(a -> assertThat(a.ports()).isEqualTo(new NodePorts(7000, 7001, 9042, 9500)));
        assertThat(allocations(placements).get(0).id()).hasToString("rides-dc1-node-0");
        assertThat(reasons(placements, 0))
                .containsExactly("machine-2: rack: r1 is next", "machine-3: rack: r1 is next");
    }

    @Test
    void a_second_cluster_shares_the_machines_and_takes_the_next_ports() {
        List<Allocation> rides = allocations(place(Samples.spec("rides", 3, 2), PLAYGROUND, List.of(), 3));
        Placements eats = place(Samples.spec("eats", 3, 2), PLAYGROUND, rides, 3);
        assertThat(machines(eats)).containsExactly("machine-1", "machine-2", "machine-3");
        assertThat(allocations(eats))
                .allSatisfy(a -> assertThat(a.ports()).isEqualTo(new NodePorts(7002, 7003, 9043, 9501)));
    }

    @Test
    void each_rejected_machine_has_the_lacking_resource() {
        List<Machine> machines = List.of(
                with(machine(1, "r1"), 512 * MIB, 20 * GIB, new PortRange(7000, 9999), false),
                with(machine(2, "r1"), 4 * GIB, 20 * GIB, new PortRange(7000, 9999), true),
                with(machine(3, "r1"), 4 * GIB, GIB, new PortRange(7000, 9999), false),
                with(machine(4, "r1"), 4 * GIB, 20 * GIB, new PortRange(7000, 7002), false));
        Placements placements = place(Samples.spec("rides", 3, 2), machines, List.of(), 1);
        assertThat(placements.complete()).isFalse();
        assertThat(reasons(placements, 0))
                .containsExactly(
                        "machine-1: memory: needs 1 GiB, 512 MiB free",
                        "machine-2: cordoned: nothing new is placed on it",
                        "machine-3: disk: needs 4 GiB, 1 GiB free",
                        "machine-4: ports: needs 4 free in 7000-7002");
        assertThat(placements.problems()).singleElement().satisfies(p -> assertThat(p.line())
                .startsWith("no machine fits rides/dc1/node-0: machine-1: memory: needs 1 GiB")
                .contains("-> free or add a machine"));
    }

    @Test
    void a_machine_holds_one_node_of_a_cluster_unless_more_are_allowed() {
        List<Machine> one = List.of(machine(1, "r1"));
        Placements apart = place(Samples.spec("rides", 3, 2), one, List.of(), 2);
        assertThat(reasons(apart, 1)).containsExactly("machine-1: same machine: holds 1 of rides, 1 allowed");
        assertThat(place(needing(Samples.SMALL, 2), one, List.of(), 2).complete())
                .isTrue();
    }

    @Test
    void a_full_processor_is_a_reason_too() {
        Placements placements = place(needing(Samples.SMALL, 9), List.of(machine(1, "r1")), List.of(), 3);
        assertThat(reasons(placements, 2)).containsExactly("machine-1: cpus: needs 1.0, 0.0 free");
    }

    @Test
    void a_rack_without_room_is_skipped_with_a_reason() {
        List<Machine> machines = List.of(
                with(machine(1, "r1"), 512 * MIB, 20 * GIB, new PortRange(7000, 9999), false), machine(2, "r2"));
        Placements placements = place(Samples.spec("rides", 3, 2), machines, List.of(), 1);
        assertThat(machines(placements)).containsExactly("machine-2");
        assertThat(placements.nodes().get(0).why()).isEqualTo("rack r1 is next but none of its machines fits, so r2");
    }

    private static final List<Machine> FULL_RACK = List.of(
            machine(1, "r1"),
            machine(2, "r2"),
            with(machine(3, "r3"), 512 * MIB, 20 * GIB, new PortRange(7000, 9999), false));

    @Test
    void a_node_that_would_make_the_racks_uneven_is_refused_with_the_full_rack_the_field_and_the_next_step() {
        assertThat(place(needing(Samples.SMALL, 2), FULL_RACK, List.of(), 2).complete())
                .as("two nodes in two racks of three")
                .isTrue();
        Placements third = place(needing(Samples.SMALL, 2), FULL_RACK, List.of(), 3);
        assertThat(reasons(third, 2))
                .containsExactly(
                        "machine-1: rack: r3 is next",
                        "machine-2: rack: r3 is next",
                        "machine-3: memory: needs 1 GiB, 512 MiB free");
        assertThat(third.problems()).singleElement().satisfies(p -> {
            assertThat(p.field()).isEqualTo("placement.racks");
            assertThat(p.line())
                    .contains(
                            "no place for rides/dc1/node-2: rack r3 is next and no machine of it has room"
                                    + " (machine-3: memory: needs 1 GiB, 512 MiB free)",
                            "free or add a machine in rack r3",
                            "placement.racks: best_effort");
        });
    }

    @Test
    void with_best_effort_another_rack_takes_the_node() {
        ClusterSpec spec = with(needing(Samples.SMALL, 2), new PlacementSpec(2, PlacementSpec.Racks.BEST_EFFORT));
        assertThat(machines(place(spec, FULL_RACK, List.of(), 3)))
                .containsExactly("machine-1", "machine-2", "machine-1");
    }

    @Test
    void racks_that_are_uneven_already_may_stay_so_and_not_become_worse() {
        ClusterSpec spec = needing(new NodeResources(500, GIB, 256 * MIB, 4 * GIB), 3);
        List<Allocation> uneven = allocations(
                place(with(spec, new PlacementSpec(3, PlacementSpec.Racks.BEST_EFFORT)), FULL_RACK, List.of(), 3));
        Placements more = Placement.place(spec, DC1, FULL_RACK, uneven, List.of(3, 4));
        assertThat(more.nodes().get(0).rack()).hasToString("r2");
        assertThat(more.problems()).singleElement().satisfies(p -> assertThat(p.message())
                .contains("rides/dc1/node-4", "rack r3 is next"));
    }

    @Test
    void a_fourth_rack_without_room_does_not_stop_a_cluster_with_three_even_racks_from_growing() {
        ClusterSpec spec = needing(new NodeResources(500, GIB, 256 * MIB, 4 * GIB), 3);
        List<Machine> three = List.of(machine(1, "r1"), machine(2, "r2"), machine(3, "r3"));
        List<Allocation> even = allocations(place(spec, three, List.of(), 3));
        List<Machine> four = List.of(
                three.get(0),
                three.get(1),
                three.get(2),
                with(machine(4, "r4"), 512 * MIB, 20 * GIB, new PortRange(7000, 9999), false));
        assertThat(Placement.place(spec, DC1, four, even, List.of(3, 4, 5)).nodes())
                .extracting(n -> String.valueOf(n.rack()))
                .containsExactlyInAnyOrder("r1", "r2", "r3");
    }

    @Test
    void a_datacenter_may_have_fewer_racks_than_replicas() {
        List<Machine> two = List.of(machine(1, "r1"), machine(2, "r2"));
        assertThat(machines(place(needing(Samples.SMALL, 2), two, List.of(), 3)))
                .containsExactly("machine-1", "machine-2", "machine-1");
    }

    private static ClusterSpec with(ClusterSpec spec, PlacementSpec placement) {
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                spec.datacenters(),
                spec.resources(),
                spec.jvm(),
                spec.cassandraYaml(),
                placement);
    }

    @Test
    void only_the_racks_of_the_spec_are_used() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        spec = spec.withDatacenters(
                List.of(new DatacenterSpec(DC1, 3, 2, List.of(machine(2, "r2").rack()))));
        Placements placements = place(spec, PLAYGROUND, List.of(), 1);
        assertThat(machines(placements)).containsExactly("machine-2");
        assertThat(reasons(placements, 0)).contains("machine-1: rack: r1 is not among [r2]");
    }

    @Test
    void a_node_is_placed_where_it_evens_out_usage() {
        List<Machine> machines = List.of(machine(1, "r1"), machine(2, "r1"), machine(3, "r1"));
        Allocation busyProcessor = allocation("busy", machines.get(1), new NodeResources(1500, GIB / 4, 0, GIB));
        Allocation fullDisk = allocation("full", machines.get(2), new NodeResources(100, GIB / 4, 0, 15 * GIB));
        ClusterSpec needsDisk = needing(new NodeResources(200, GIB, 256 * MIB, 4 * GIB), 1);
        assertThat(machines(place(needsDisk, machines, List.of(busyProcessor, fullDisk), 1)))
                .as("beside the one that uses CPU, not beside the one that fills the disk")
                .containsExactly("machine-1");
        ClusterSpec needsMuchDisk = needing(new NodeResources(200, 2 * GIB, 256 * MIB, 16 * GIB), 1);
        assertThat(machines(place(needsMuchDisk, machines, List.of(busyProcessor, fullDisk), 1)))
                .containsExactly("machine-2");
    }

    @Test
    void nothing_is_placed_on_a_machine_that_the_pool_cannot_reach() {
        List<Machine> machines =
                List.of(MachineBuilder.from(machine(1, "r1")).withState(Machine.State.UNREACHABLE), machine(2, "r1"));
        Placements placements = place(Samples.spec("rides", 1, 1), machines, List.of(), 1);
        assertThat(machines(placements)).containsExactly("machine-2");
        assertThat(reasons(placements, 0)).containsExactly("machine-1: unreachable: the pool has lost contact with it");
    }

    @Test
    void where_every_allocation_has_its_own_address_all_nodes_get_the_usual_ports() {
        List<Machine> machines = Stream.of(machine(1, "r1"), machine(2, "r2"), machine(3, "r3"))
                .map(m -> MachineBuilder.builder(m).address(null).ports(null).build())
                .toList();
        List<Allocation> rides = allocations(place(Samples.spec("rides", 3, 2), machines, List.of(), 3));
        assertThat(allocations(place(Samples.spec("eats", 3, 2), machines, rides, 3)))
                .allSatisfy(a -> assertThat(a.ports()).isEqualTo(new NodePorts(7000, 7001, 9042, 9500)));
    }

    private static Allocation allocation(String cluster, Machine machine, NodeResources resources) {
        ClusterSpec spec = Samples.spec(cluster, 1, 1);
        Allocation placed =
                allocations(place(spec, List.of(machine), List.of(), 1)).get(0);
        return new Allocation(
                placed.id(), placed.node(), new MachineName(machine.name().value()), placed.ports(), resources);
    }

    @Test
    void the_ports_of_a_dead_node_stay_taken_at_its_address_when_its_machine_has_another_name() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        Machine renamed = MachineBuilder.from(machine(1, "r1")).withName(new MachineName("machine-9"));
        Scene scene = Scene.live(spec).claimGone(0).without(machine(1, "r1")).with(renamed);
        Placements placements = Placement.place(scene.view(), spec, List.of(3));
        assertThat(allocations(placements).get(0).machine()).isEqualTo(renamed.name());
        assertThat(allocations(placements).get(0).ports().storage()).isNotEqualTo(7000);
    }
}
