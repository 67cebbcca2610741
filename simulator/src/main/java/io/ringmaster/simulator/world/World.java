package io.ringmaster.simulator.world;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.store.memory.InMemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is outside of all servers: machines, nodes, stores and the network. It survives every server. */
public final class World {
    public static final List<DatacenterName> DATACENTERS =
            List.of(new DatacenterName("dc1"), new DatacenterName("dc2"));

    private static final int MACHINES = 6;
    private static final int RACKS = 3;
    private static final long GIB = 1L << 30;

    private final VirtualClock clock;
    private final SeededRandom random;
    private final Trace trace;
    private final ActiveFaults faults;
    private final Mutation planted;
    private final SimNetwork network;
    private final SimClients clients;
    private final Ring ring = new Ring(this);
    private final Keyspaces keyspaces = new Keyspaces(this);
    private final Declarations declarations = new Declarations(this);
    private final RemovedNodes removedNodes = new RemovedNodes();
    private final Map<DatacenterName, DatacenterServers> servers = new TreeMap<>();
    private final Map<DatacenterName, InMemoryStore> stores = new TreeMap<>();
    private final Map<DatacenterName, PoolMemory> pools = new TreeMap<>();
    private final Map<DatacenterName, List<Machine>> machines = new TreeMap<>();
    private final Map<DatacenterName, Map<AllocationId, SimNode>> nodes = new TreeMap<>();
    private final Set<String> downMachines = new TreeSet<>();
    private final Set<String> goneMachines = new TreeSet<>();
    private WorldListener listener = new WorldListener() {};
    private boolean partitioned;
    private int hosts;

    public World(VirtualClock clock, SeededRandom random, Trace trace, ActiveFaults faults, Mutation planted) {
        this.clock = clock;
        this.random = random;
        this.trace = trace;
        this.faults = faults;
        this.planted = planted;
        this.network = new SimNetwork(clock, random, faults);
        this.clients = new SimClients(clock);
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
            stores.put(DATACENTERS.get(d), new InMemoryStore());
            pools.put(DATACENTERS.get(d), new PoolMemory());
        }
    }

    /** Connects the servers of a datacenter, which must happen before the clock runs. */
    public void connect(DatacenterName datacenter, DatacenterServers datacenterServers) {
        servers.put(datacenter, datacenterServers);
    }

    /** Replaces the listener, which accepts everything until then. */
    public void listen(WorldListener worldListener) {
        listener = worldListener;
    }

    public VirtualClock clock() {
        return clock;
    }

    public long nowMillis() {
        return clock.nowMillis();
    }

    public Instant now() {
        return clock.now();
    }

    public SeededRandom random() {
        return random;
    }

    public Trace trace() {
        return trace;
    }

    public boolean has(Fault fault) {
        return faults.has(fault);
    }

    public Mutation planted() {
        return planted;
    }

    public SimNetwork network() {
        return network;
    }

    public SimClients clients() {
        return clients;
    }

    public Ring ring() {
        return ring;
    }

    public Keyspaces keyspaces() {
        return keyspaces;
    }

    public Declarations declarations() {
        return declarations;
    }

    public RemovedNodes removedNodes() {
        return removedNodes;
    }

    public WorldListener listener() {
        return listener;
    }

    public DatacenterServers servers(DatacenterName datacenter) {
        return Objects.requireNonNull(servers.get(datacenter), "every datacenter is there from the start");
    }

    /** The store of the datacenter, which survives its servers. */
    public InMemoryStore store(DatacenterName datacenter) {
        return Objects.requireNonNull(stores.get(datacenter), "every datacenter is there from the start");
    }

    /** What the datacenter's pool remembers, which survives its servers. */
    public PoolMemory pool(DatacenterName datacenter) {
        return Objects.requireNonNull(pools.get(datacenter), "every datacenter is there from the start");
    }

    /** The records of one type in the datacenter's store. */
    public <R extends StoredRecord> List<R> records(DatacenterName datacenter, Class<R> type) {
        return store(datacenter).load().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    int nextHost() {
        return ++hosts;
    }

    /** Nothing breaks any more; the partition ends and every machine returns. */
    public void stopFaults() {
        faults.stop();
        partitioned = false;
        downMachines.clear();
        goneMachines.clear();
        allNodes().forEach(n -> n.executor().advance());
    }

    public List<Machine> machines(DatacenterName datacenter) {
        return Objects.requireNonNull(machines.get(datacenter), "every datacenter is there from the start");
    }

    /** The IP address of an allocation. */
    String address(Allocation allocation) {
        return Objects.requireNonNull(
                machines(allocation.node().datacenter()).stream()
                        .filter(m -> m.name().equals(allocation.machine()))
                        .findFirst()
                        .orElseThrow()
                        .address(),
                "all nodes of a machine share its address");
    }

    /** The machines that the pool can offer now. */
    public List<Machine> offeredMachines(DatacenterName datacenter) {
        return machines(datacenter).stream()
                .filter(m -> isOffered(datacenter, m.name()))
                .toList();
    }

    public boolean isOffered(DatacenterName datacenter, MachineName machine) {
        return machines(datacenter).stream().anyMatch(m -> m.name().equals(machine))
                && !goneMachines.contains(key(datacenter, machine));
    }

    /** The allocations of the datacenter, which the caller may change. */
    public Map<AllocationId, SimNode> nodes(DatacenterName datacenter) {
        return Objects.requireNonNull(nodes.get(datacenter), "every datacenter is there from the start");
    }

    private List<SimNode> allNodes() {
        return nodes.values().stream().flatMap(m -> m.values().stream()).toList();
    }

    public List<SimNode> nodesOf(ClusterName cluster) {
        return allNodes().stream().filter(n -> n.cluster().equals(cluster)).toList();
    }

    /** The nodes that own ranges of the ring, dead ones included. */
    public Stream<SimNode> members(ClusterName cluster) {
        Stream<SimNode> present = nodesOf(cluster).stream().filter(n -> !n.isReleased());
        return Stream.concat(present, removedNodes.deadMembers(cluster).stream())
                .filter(SimNode::isMember);
    }

    /** All other members of the node's cluster. */
    public List<SimNode> membersBeside(SimNode node) {
        return members(node.cluster()).filter(n -> n != node).toList();
    }

    /** The joining node becomes a member and takes the place of the former allocations of the same node. */
    void takesOver(SimNode joining) {
        NodeId id = joining.id();
        removedNodes.replaced(id);
        nodesOf(id.cluster()).stream()
                .filter(n -> n != joining && n.id().equals(id) && n.joined())
                .forEach(SimNode::markReplaced);
    }

    public void partition(boolean apart) {
        partitioned = apart;
    }

    public boolean isPartitioned() {
        return partitioned;
    }

    boolean isConnected(SimNode a, SimNode b) {
        return !partitioned || a.datacenter().equals(b.datacenter());
    }

    boolean isUp(Allocation allocation) {
        return isUp(allocation.node().datacenter(), allocation.machine());
    }

    public boolean isUp(DatacenterName datacenter, MachineName machine) {
        return !downMachines.contains(key(datacenter, machine));
    }

    public void loseMachine(DatacenterName datacenter, MachineName machine) {
        downMachines.add(key(datacenter, machine));
        nodes(datacenter).values().stream()
                .filter(n -> n.allocation().machine().equals(machine))
                .forEach(n -> {
                    n.die(false);
                    n.executorExited();
                });
    }

    /** The machine is lost with its disks; the machine that returns under its name is empty. */
    public void loseDisks(DatacenterName datacenter, MachineName machine) {
        loseMachine(datacenter, machine);
        goneMachines.add(key(datacenter, machine));
        nodes(datacenter).values().removeIf(n -> {
            boolean lost = n.allocation().machine().equals(machine);
            if (lost) {
                removedNodes.add(n);
            }
            return lost;
        });
    }

    /** The pool releases the allocation and keeps its volume. */
    public void release(SimNode node) {
        removedNodes.add(node);
        node.allocationBecomes(AllocationState.Status.RELEASED, "volume kept");
    }

    public void returnMachine(DatacenterName datacenter, MachineName machine) {
        downMachines.remove(key(datacenter, machine));
        goneMachines.remove(key(datacenter, machine));
    }

    /**
     * Whether the disks of the machine may be lost: its nodes are members with a record, their clusters are complete,
     * and all other members are NORMAL.
     */
    public boolean hasReplicasElsewhere(DatacenterName datacenter, MachineName machine) {
        return nodes(datacenter).values().stream()
                .filter(n -> n.allocation().machine().equals(machine) && !n.isReleased())
                .allMatch(n -> (n.mode() == OperatingMode.NORMAL || isLeavingOthers(n))
                        && declarations.mayHoldData(n.cluster())
                        && records(datacenter, NodeRecord.class).stream()
                                .anyMatch(r -> r.joined()
                                        && r.allocation()
                                                .id()
                                                .equals(n.allocation().id()))
                        && membersBeside(n).stream().allMatch(other -> other.mode() == OperatingMode.NORMAL));
    }

    /** Nobody could remove the last leaving node of a datacenter from the ring. */
    private boolean isLeavingOthers(SimNode node) {
        return node.mode() == OperatingMode.LEAVING
                && membersBeside(node).stream().anyMatch(n -> n.datacenter().equals(node.datacenter()));
    }

    private static String key(DatacenterName datacenter, MachineName machine) {
        return datacenter + "/" + machine;
    }
}
