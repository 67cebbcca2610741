package io.ringmaster.simulator;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.StoredRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The outside of all servers: machines, allocations, nodes, the network between datacenters. It survives every server. */
final class World {
    static final List<DatacenterName> DATACENTERS = List.of(new DatacenterName("dc1"), new DatacenterName("dc2"));
    private static final int MACHINES = 6;
    private static final int RACKS = 3;
    private static final long GIB = 1L << 30;

    final VirtualClock timeline;
    final SeededRandom chance;
    final Trace trace;
    final Mutation plant;
    final Ring ring = new Ring(this);
    final Keyspaces keyspaces = new Keyspaces(this);
    final SimClients clients;
    final Invariants invariants = new Invariants(this);
    final Map<DatacenterName, Datacenter> datacenters = new TreeMap<>();
    private final Map<DatacenterName, Map<AllocationId, SimNode>> nodes = new TreeMap<>();
    private final Map<DatacenterName, List<Machine>> machines = new TreeMap<>();
    private final Set<String> lostMachines = new TreeSet<>();
    private final Set<String> goneMachines = new TreeSet<>();
    final RemovedNodes dead = new RemovedNodes();
    private final Set<Fault> faults;
    private boolean faultsStopped;
    private boolean cut;
    private int hosts;

    World(VirtualClock timeline, SeededRandom chance, Trace trace, Set<Fault> faults, Mutation plant) {
        this.timeline = timeline;
        this.chance = chance;
        this.trace = trace;
        this.plant = plant;
        this.clients = new SimClients(timeline);
        this.faults = faults.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(faults);
        for (int d = 0; d < DATACENTERS.size(); d++) {
            List<Machine> here = new ArrayList<>();
            for (int m = 1; m <= MACHINES; m++) {
                here.add(new Machine(
                        new MachineName("machine-" + m),
                        new RackName("r" + (1 + m % RACKS)),
                        "127.1." + (d + 1) + "." + m,
                        4000,
                        8 * GIB,
                        100 * GIB,
                        new PortRange(7000, 9999),
                        false));
            }
            machines.put(DATACENTERS.get(d), List.copyOf(here));
            nodes.put(DATACENTERS.get(d), new TreeMap<>());
        }
    }

    int nextHost() {
        return ++hosts;
    }

    boolean faultsOn(Fault fault) {
        return !faultsStopped && faults.contains(fault);
    }

    /** From now on nothing breaks any more, and what is cut or lost comes back. */
    void stopFaults() {
        faultsStopped = true;
        cut = false;
        lostMachines.clear();
        goneMachines.clear();
        everyNode().forEach(SimNode::advance);
    }

    Datacenter datacenter(DatacenterName name) {
        return Objects.requireNonNull(datacenters.get(name), "every datacenter is there from the start");
    }

    List<Machine> machines(DatacenterName datacenter) {
        return Objects.requireNonNull(machines.get(datacenter), "every datacenter has machines from the start");
    }

    /** Those that the pool can offer now. */
    List<Machine> machinesThere(DatacenterName datacenter) {
        return machines(datacenter).stream()
                .filter(m -> isThere(datacenter, m.name()))
                .toList();
    }

    boolean isThere(DatacenterName datacenter, MachineName machine) {
        return !goneMachines.contains(key(datacenter, machine));
    }

    Map<AllocationId, SimNode> nodes(DatacenterName datacenter) {
        return Objects.requireNonNull(nodes.get(datacenter), "every datacenter is there from the start");
    }

    List<SimNode> everyNode() {
        return nodes.values().stream().flatMap(m -> m.values().stream()).toList();
    }

    List<SimNode> nodesOf(ClusterName cluster) {
        return everyNode().stream()
                .filter(n -> n.allocation.node().cluster().equals(cluster))
                .toList();
    }

    /** A newcomer is a member from now on, in the place of whoever was the same node before. */
    void takesOver(SimNode newcomer) {
        NodeId id = newcomer.allocation.node();
        dead.replaced(id);
        nodesOf(id.cluster()).stream()
                .filter(n -> n != newcomer && n.allocation.node().equals(id) && n.joined)
                .forEach(n -> n.replaced = true);
    }

    void cut(boolean apart) {
        cut = apart;
    }

    boolean cut() {
        return cut;
    }

    boolean connected(SimNode a, SimNode b) {
        return !cut
                || a.allocation.node().datacenter().equals(b.allocation.node().datacenter());
    }

    boolean machineUp(Allocation allocation) {
        return machineUp(allocation.node().datacenter(), allocation.machine());
    }

    boolean machineUp(DatacenterName datacenter, MachineName machine) {
        return !lostMachines.contains(key(datacenter, machine));
    }

    void loseMachine(DatacenterName datacenter, MachineName machine) {
        lostMachines.add(key(datacenter, machine));
        nodes(datacenter).values().stream()
                .filter(n -> n.allocation.machine().equals(machine))
                .forEach(n -> {
                    n.die(false);
                    SimPool.exited(n, this);
                });
    }

    /** It is gone with its disks; what comes back under its name is empty. */
    void loseForGood(DatacenterName datacenter, MachineName machine) {
        loseMachine(datacenter, machine);
        goneMachines.add(key(datacenter, machine));
        nodes(datacenter).values().removeIf(n -> {
            boolean lost = n.allocation.machine().equals(machine);
            if (lost) {
                dead.add(n);
            }
            return lost;
        });
    }

    void returnMachine(DatacenterName datacenter, MachineName machine) {
        lostMachines.remove(key(datacenter, machine));
        goneMachines.remove(key(datacenter, machine));
    }

    /** What a datacenter's store holds of one kind. */
    <R extends StoredRecord> List<R> records(DatacenterName datacenter, Class<R> type) {
        return datacenter(datacenter).records.load().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** What the node's datacenter's server, if one is there, says of the seeds; else what the node was told last. */
    Optional<SeedAnswer> askSeeds(SimNode node) {
        Datacenter datacenter = datacenter(node.allocation.node().datacenter());
        Optional<SeedAnswer> answer = datacenter.seeds(node.allocation.node());
        answer.ifPresent(a -> node.lastSeeds = a);
        return answer.or(() -> Optional.ofNullable(node.lastSeeds));
    }

    private static String key(DatacenterName datacenter, MachineName machine) {
        return datacenter + "/" + machine;
    }
}
