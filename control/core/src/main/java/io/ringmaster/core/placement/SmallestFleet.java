package io.ringmaster.core.placement;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The smallest number of empty machines on which placement finds room for all nodes of some clusters, declared one
 * after another. Machines are added rack by rack, with the next shape for each round of the racks. The nodes of each
 * cluster must stay as even over the racks as possible; otherwise machines would be saved at the cost of availability.
 *
 * <p>Placement decides node by node and is not optimal: more machines may fit less. The number found is enough, and one
 * less is not.
 */
final class SmallestFleet {
    /** The first increment is 1/16 of the lower bound: with hundreds of machines each attempt takes a while. */
    private static final int STRIDE = 16;

    private final DatacenterName datacenter;
    private final List<ClusterSpec> specs;
    private final List<MachineShape> shapes;
    private final List<RackName> racks;

    SmallestFleet(
            DatacenterName datacenter, List<ClusterSpec> specs, List<MachineShape> shapes, Collection<RackName> racks) {
        this.datacenter = datacenter;
        this.specs = specs;
        this.shapes = shapes;
        this.racks = racks.stream().sorted().toList();
    }

    /** Unused machines of these shapes in these racks. */
    static List<Machine> machines(List<MachineShape> shapes, List<RackName> racks, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> machine(i, racks.get(i % racks.size()), shapes.get(i / racks.size() % shapes.size())))
                .toList();
    }

    /**
     * @param likely a number that is probably enough; tried before any larger one
     * @throws IllegalStateException if one machine of each shape in each rack for every node is not enough: some node
     *     fits no machine
     */
    Fleet find(int likely) {
        int most = most();
        int enough = least();
        int tooFew = enough - 1;
        Optional<List<Allocation>> found = attempt(enough);
        for (int step = Math.max(1, enough / STRIDE); found.isEmpty(); step *= 2) {
            if (enough >= most) {
                throw new IllegalStateException("some node fits none of " + most + " machines");
            }
            tooFew = enough;
            enough = Math.min(most, tooFew < likely ? Math.min(likely, tooFew + step) : tooFew + step);
            found = attempt(enough);
        }
        List<Allocation> best = found.get();
        while (enough - tooFew > 1) {
            int middle = (enough + tooFew) / 2;
            Optional<List<Allocation>> fewer = attempt(middle);
            if (fewer.isPresent()) {
                best = fewer.get();
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return used(best);
    }

    /**
     * The machines that hold at least one node.
     *
     * @param nodes the resources of the nodes on them
     */
    record Fleet(List<Machine> machines, List<NodeResources> nodes) {}

    private Fleet used(List<Allocation> allocations) {
        Set<MachineName> names = allocations.stream().map(Allocation::machine).collect(Collectors.toSet());
        return new Fleet(
                machines(shapes, racks, most()).stream()
                        .filter(m -> names.contains(m.name()))
                        .toList(),
                allocations.stream().map(Allocation::resources).toList());
    }

    private Optional<List<Allocation>> attempt(int count) {
        List<Machine> machines = machines(shapes, racks, count);
        List<Allocation> allocations = new ArrayList<>();
        for (ClusterSpec spec : specs) {
            Placements placed = Placement.place(
                    spec,
                    datacenter,
                    machines,
                    allocations,
                    IntStream.range(0, nodes(spec)).boxed().toList());
            if (!placed.complete() || !even(placed, spec)) {
                return Optional.empty();
            }
            placed.nodes().forEach(n -> allocations.add(n.chosen().orElseThrow()));
        }
        return Optional.of(allocations);
    }

    private boolean even(Placements placed, ClusterSpec spec) {
        Map<RackName, Long> nodes =
                placed.nodes().stream().collect(Collectors.groupingBy(n -> n.rack(), Collectors.counting()));
        List<RackName> wanted = spec.datacenter(datacenter).orElseThrow().racks();
        var counts = (wanted.isEmpty() ? racks : wanted)
                .stream().mapToLong(r -> nodes.getOrDefault(r, 0L)).summaryStatistics();
        return counts.getMax() - counts.getMin() <= 1;
    }

    /** A lower bound: with fewer machines the resources of all nodes, or the nodes of one cluster, find no room. */
    private int least() {
        long apart = specs.stream()
                .mapToLong(s -> ceil(nodes(s), s.placement().nodesPerMachine()))
                .max()
                .orElse(1);
        long cpus = least(NodeResources::cpuMillis, MachineShape::cpuMillis);
        long memory = least(NodeResources::memoryBytes, MachineShape::memoryBytes);
        long disk = least(NodeResources::diskBytes, MachineShape::diskBytes);
        return Math.toIntExact(Math.max(Math.max(apart, cpus), Math.max(memory, disk)));
    }

    private long least(ToLongFunction<NodeResources> needs, ToLongFunction<MachineShape> has) {
        long all = specs.stream()
                .mapToLong(s -> nodes(s) * needs.applyAsLong(s.resources()))
                .sum();
        return ceil(all, shapes.stream().mapToLong(has).max().orElseThrow());
    }

    private static long ceil(long amount, long unit) {
        return (amount + unit - 1) / unit;
    }

    /**
     * An upper bound, if every node fits one of the shapes: each node has a machine of each shape to itself, in
     * whichever rack is next.
     */
    private int most() {
        return nodes() * racks.size() * shapes.size();
    }

    private int nodes() {
        return specs.stream().mapToInt(this::nodes).sum();
    }

    private int nodes(ClusterSpec spec) {
        return spec.datacenter(datacenter).orElseThrow().nodes();
    }

    private static Machine machine(int i, RackName rack, MachineShape shape) {
        String name = "machine-" + (i + 1);
        return new Machine(
                new MachineName(name),
                rack,
                name,
                shape.cpuMillis(),
                shape.memoryBytes(),
                shape.diskBytes(),
                shape.ports(),
                false);
    }
}
