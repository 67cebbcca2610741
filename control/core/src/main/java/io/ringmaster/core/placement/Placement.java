package io.ringmaster.core.placement;

import io.ringmaster.core.placement.NodePlacement.Rejection;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses machines. First the rack: the one with the fewest nodes of the cluster; racks with equal counts alternate in
 * name order, so that consecutive nodes, which are neighbours on the ring and so replicas of each other, are in
 * different racks. Then, among the machines of that rack that have room, those with the fewest nodes of the cluster,
 * and among these the one with the best {@linkplain Occupancy#fit fit}. If no machine of the rack has room, the next
 * rack is tried; unless the spec allows it, not one that would make the racks less even than they are. The same input
 * gives the same decision.
 */
public final class Placement {
    /** Most keyspaces have three replicas in a datacenter. */
    private static final int USUAL_REPLICAS = 3;

    /** In the reason of a machine whose room kept volumes take. */
    static final String KEPT = " in kept volumes";

    private final ClusterSpec spec;
    private final DatacenterName datacenter;
    private final List<RackName> racks;
    private final List<Occupancy> machines;
    private final Map<Integer, RackName> rackOfIndex = new TreeMap<>();
    /** The racks in which the cluster has nodes already. */
    private final Set<RackName> used;

    private Placement(
            ClusterSpec spec,
            DatacenterName datacenter,
            Collection<Machine> machines,
            Collection<Allocation> existing,
            Collection<Allocation> kept,
            Collection<Allocation> quarantined,
            PortUse ports) {
        this.spec = spec;
        this.datacenter = datacenter;
        List<Allocation> withPorts =
                Stream.concat(existing.stream(), quarantined.stream()).toList();
        Map<MachineName, List<Allocation>> byMachine =
                existing.stream().collect(Collectors.groupingBy(Allocation::machine));
        Map<MachineName, List<Allocation>> keptByMachine =
                kept.stream().collect(Collectors.groupingBy(Allocation::machine));
        this.machines = machines.stream()
                .sorted(Comparator.comparing(Machine::name))
                .map(m -> new Occupancy(
                        m,
                        byMachine.getOrDefault(m.name(), List.of()),
                        keptByMachine.getOrDefault(m.name(), List.of()),
                        ports.at(m, withPorts)))
                .toList();
        List<RackName> wanted = spec.datacenter(datacenter).orElseThrow().racks();
        this.racks = (wanted.isEmpty() ? machines.stream().map(Machine::rack) : wanted.stream())
                .distinct()
                .sorted()
                .toList();
        Map<Object, RackName> rackOfMachine = machines.stream().collect(Collectors.toMap(Machine::name, Machine::rack));
        existing.stream()
                .filter(a -> a.node().cluster().equals(spec.name())
                        && a.node().datacenter().equals(datacenter)
                        && rackOfMachine.containsKey(a.machine()))
                .forEach(a -> rackOfIndex.put(a.node().index(), rackOfMachine.get(a.machine())));
        this.used = Set.copyOf(rackOfIndex.values());
    }

    /**
     * Places nodes.
     *
     * @param machines the machines of the datacenter
     * @param existing all allocations on them, of every cluster
     * @param missing the indexes of the nodes to place
     */
    public static Placements place(
            ClusterSpec spec,
            DatacenterName datacenter,
            Collection<Machine> machines,
            Collection<Allocation> existing,
            Collection<Integer> missing) {
        return place(spec, datacenter, machines, existing, List.of(), List.of(), PortUse.of(machines), missing);
    }

    private static Placements place(
            ClusterSpec spec,
            DatacenterName datacenter,
            Collection<Machine> machines,
            Collection<Allocation> existing,
            Collection<Allocation> kept,
            Collection<Allocation> quarantined,
            PortUse ports,
            Collection<Integer> missing) {
        Placement placement = new Placement(spec, datacenter, machines, existing, kept, quarantined, ports);
        return new Placements(
                missing.stream().distinct().sorted().map(placement::placeNext).toList());
    }

    /**
     * Places nodes of the deciding datacenter, on the allocations of its records and those that the pool reports. A
     * node on a machine that another one has just left gets other ports.
     */
    public static Placements place(View view, ClusterSpec spec, Collection<Integer> missing) {
        if (missing.isEmpty()) {
            return new Placements(List.of());
        }
        return place(
                spec,
                view.datacenter(),
                view.machines().values(),
                allocations(view),
                kept(view),
                Quarantine.of(view, spec.name()).stream()
                        .map(Quarantine.Endpoint::allocation)
                        .toList(),
                PortUse.of(view),
                missing);
    }

    /**
     * Every allocation on this datacenter's machines that takes CPU, memory and ports: decided here, or reported by the
     * pool.
     */
    public static List<Allocation> allocations(View view) {
        Map<AllocationId, Allocation> allocations = new TreeMap<>();
        view.allocations().values().stream()
                .filter(s -> s.status() != AllocationState.Status.RELEASED)
                .map(AllocationState::allocation)
                .forEach(a -> allocations.put(a.id(), a));
        view.nodes().values().stream().map(NodeRecord::allocation).forEach(a -> allocations.put(a.id(), a));
        return List.copyOf(allocations.values());
    }

    /** The released allocations, whose volumes still take disk space, except those that a node's record holds again. */
    static List<Allocation> kept(View view) {
        Set<AllocationId> held =
                view.nodes().values().stream().map(n -> n.allocation().id()).collect(Collectors.toSet());
        return view.allocations().values().stream()
                .filter(s -> s.status() == AllocationState.Status.RELEASED)
                .map(AllocationState::allocation)
                .filter(a -> !held.contains(a.id()))
                .toList();
    }

    /** The allocation id of a node, such as {@code rides-dc1-node-0}. */
    public static AllocationId allocationId(NodeId node) {
        return new AllocationId(node.cluster() + "-" + node.datacenter() + "-" + node.shortName());
    }

    private NodePlacement placeNext(int index) {
        NodeId node = new NodeId(spec.name(), datacenter, index);
        Map<Occupancy, String> unfit = new TreeMap<>(Comparator.comparing((Occupancy o) -> o.machine.name()));
        machines.forEach(o -> whyUnfit(o).ifPresent(reason -> unfit.put(o, reason)));
        List<RackName> order = rackOrder(index);
        for (RackName rack : order) {
            Optional<Occupancy> best = machines.stream()
                    .filter(o -> o.machine.rack().equals(rack) && !unfit.containsKey(o))
                    .max(Comparator.comparingInt((Occupancy o) -> -o.nodesOf(spec.name()))
                            .thenComparingDouble(o -> o.fit(spec.resources()))
                            .thenComparing(o -> o.machine.name(), Comparator.reverseOrder()));
            if (best.isPresent()) {
                return spec.placement().racks() == PlacementSpec.Racks.EVEN && makesUneven(rack, unfit)
                        ? uneven(node, order.get(0), unfit)
                        : choose(node, best.get(), unfit, order);
            }
        }
        return new NodePlacement(node, null, null, "no machine fits", rejections(unfit));
    }

    /**
     * Whether one more node in a rack makes the racks less even than they may be, and than they are. Where the cluster
     * has a rack for each replica already, a further rack without room does not count.
     */
    private boolean makesUneven(RackName rack, Map<Occupancy, String> unfit) {
        Map<RackName, Long> nodes = nodesOfRacks();
        long most = nodes.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long fewest = racks.stream()
                .filter(r -> used.size() < USUAL_REPLICAS || used.contains(r) || hasRoom(r, unfit))
                .mapToLong(r -> nodes.getOrDefault(r, 0L))
                .min()
                .orElse(0);
        return nodes.getOrDefault(rack, 0L) + 1 - fewest > Math.max(1, most - fewest);
    }

    private boolean hasRoom(RackName rack, Map<Occupancy, String> unfit) {
        return machines.stream().anyMatch(o -> o.machine.rack().equals(rack) && !unfit.containsKey(o));
    }

    /** No place, although a machine of another rack has room. */
    private NodePlacement uneven(NodeId node, RackName next, Map<Occupancy, String> unfit) {
        String full = unfit.entrySet().stream()
                .filter(e -> e.getKey().machine.rack().equals(next))
                .map(e -> e.getKey().machine.name() + ": " + e.getValue())
                .collect(Collectors.joining("; "));
        machines.forEach(o -> unfit.putIfAbsent(o, "rack: " + next + " is next"));
        String why = "rack " + next + " is next and no machine of it has room"
                + (full.isEmpty() ? "" : " (" + full + ")")
                + ", and in another rack the node would make the racks uneven";
        return new NodePlacement(node, null, next, why, rejections(unfit));
    }

    private NodePlacement choose(NodeId node, Occupancy chosen, Map<Occupancy, String> unfit, List<RackName> order) {
        NodeResources needs = spec.resources();
        NodePorts ports = chosen.freePorts().orElseThrow();
        Allocation allocation = new Allocation(allocationId(node), node, chosen.machine.name(), ports, needs);
        RackName rack = chosen.machine.rack();
        for (Occupancy other : machines) {
            if (other != chosen && !unfit.containsKey(other)) {
                unfit.put(
                        other,
                        other.machine.rack().equals(rack) ? whyWorse(other, chosen) : "rack: " + rack + " is next");
            }
        }
        String why = rack.equals(order.get(0))
                ? String.format(Locale.ROOT, "rack %s is next, best fit %.2f", rack, chosen.fit(needs))
                : "rack " + order.get(0) + " is next but none of its machines fits, so " + rack;
        List<Rejection> rejected = rejections(unfit);
        machines.forEach(o -> o.add(allocation, chosen.machine));
        rackOfIndex.put(node.index(), rack);
        return new NodePlacement(node, allocation, rack, why, rejected);
    }

    /** @param other a machine of the same rack that also has room */
    private String whyWorse(Occupancy other, Occupancy chosen) {
        ClusterName cluster = spec.name();
        if (other.nodesOf(cluster) > chosen.nodesOf(cluster)) {
            return "same machine: holds " + other.nodesOf(cluster) + " of " + cluster + ", " + chosen.machine.name()
                    + " holds " + chosen.nodesOf(cluster);
        }
        NodeResources needs = spec.resources();
        return String.format(
                Locale.ROOT, "fit: %.2f, %s has %.2f", other.fit(needs), chosen.machine.name(), chosen.fit(needs));
    }

    private Map<RackName, Long> nodesOfRacks() {
        return rackOfIndex.values().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** The racks in the order in which they are tried for this node. */
    private List<RackName> rackOrder(int index) {
        Map<RackName, Long> nodes = nodesOfRacks();
        RackName before = null;
        for (Map.Entry<Integer, RackName> entry : rackOfIndex.entrySet()) {
            if (entry.getKey() < index) {
                before = entry.getValue();
            }
        }
        int start = before == null ? leastUsedRack() : racks.indexOf(before) + 1;
        List<RackName> order = new ArrayList<>(racks);
        order.sort(Comparator.comparingLong((RackName r) -> nodes.getOrDefault(r, 0L))
                .thenComparingInt(r -> Math.floorMod(racks.indexOf(r) - start, racks.size())));
        return order;
    }

    /**
     * The first rack of a new cluster: the one with the fewest allocations, so that the first rack in name order does
     * not get one node more of every cluster.
     */
    private int leastUsedRack() {
        int leastUsed = 0;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < racks.size(); i++) {
            RackName rack = racks.get(i);
            long allocations = machines.stream()
                    .filter(o -> o.machine.rack().equals(rack))
                    .mapToLong(Occupancy::allocations)
                    .sum();
            if (allocations < fewest) {
                fewest = allocations;
                leastUsed = i;
            }
        }
        return leastUsed;
    }

    private Optional<String> whyUnfit(Occupancy o) {
        return racks.contains(o.machine.rack())
                ? whyUnfit(o, spec)
                : Optional.of("rack: " + o.machine.rack() + " is not among " + racks);
    }

    /** Why a machine of an allowed rack cannot hold one more node of the spec. */
    static Optional<String> whyUnfit(Occupancy o, ClusterSpec spec) {
        NodeResources needs = spec.resources();
        int held = o.nodesOf(spec.name());
        int allowed = spec.placement().nodesPerMachine();
        if (o.machine.cordoned()) {
            return Optional.of("cordoned: nothing new is placed on it");
        }
        if (!o.machine.reachable()) {
            return Optional.of("unreachable: the pool has lost contact with it");
        }
        if (held >= allowed) {
            return Optional.of("same machine: holds " + held + " of " + spec.name() + ", " + allowed + " allowed");
        }
        if (o.freeCpuMillis() < needs.cpuMillis()) {
            return Optional.of("cpus: needs " + cores(needs.cpuMillis()) + ", " + cores(o.freeCpuMillis()) + " free");
        }
        if (o.freeMemoryBytes() < needs.memoryBytes()) {
            return Optional.of(shortOf("memory", needs.memoryBytes(), o.freeMemoryBytes()));
        }
        if (o.freeDiskBytes() < needs.diskBytes()) {
            String kept = o.keptDiskBytes() == 0 ? "" : ", " + Size.text(o.keptDiskBytes()) + KEPT;
            return Optional.of(shortOf("disk", needs.diskBytes(), o.freeDiskBytes()) + kept);
        }
        if (o.freePorts().isEmpty()) {
            return Optional.of("ports: needs 4 free in " + o.range().first() + "-"
                    + o.range().last());
        }
        return Optional.empty();
    }

    private static String shortOf(String what, long needs, long free) {
        return what + ": needs " + Size.text(needs) + ", " + Size.text(Math.max(0, free)) + " free";
    }

    private static String cores(long millis) {
        return Math.max(0, millis) / 1000.0 + "";
    }

    private static List<Rejection> rejections(Map<Occupancy, String> unfit) {
        return unfit.entrySet().stream()
                .map(e -> new Rejection(e.getKey().machine.name(), e.getValue()))
                .toList();
    }
}
