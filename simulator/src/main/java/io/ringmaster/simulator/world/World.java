package io.ringmaster.simulator.world;

import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
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
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is outside of all servers: machines, nodes, stores and the network. It survives every server. */
public final class World {
    public static final List<DatacenterName> DATACENTERS =
            List.of(new DatacenterName("dc1"), new DatacenterName("dc2"));

    private final VirtualClock clock;
    private final SeededRandom random;
    private final Trace trace;
    private final ActiveFaults faults;
    private final Mutation planted;
    private final SimNetwork network;
    private final SimClients clients;
    private final ServerClocks serverClocks;
    private final Ring ring = new Ring(this);
    private final Gossip gossip = new Gossip(this);
    private final MachineLosses losses = new MachineLosses(this);
    private final Keyspaces keyspaces = new Keyspaces(this);
    private final Ledgers ledgers = new Ledgers(this);
    private final Declarations declarations = new Declarations(this);
    private final FormerEndpoints formerEndpoints = new FormerEndpoints(this);
    private final RemovedNodes removedNodes = new RemovedNodes();
    private final Set<NodeId> executorFailures = new HashSet<>();
    private final RestoredClusters restores = new RestoredClusters(this);
    private final Roles roles = new Roles(this);
    private final Map<DatacenterName, DatacenterServers> servers = new TreeMap<>();
    private final Map<DatacenterName, InMemoryStore> stores = new TreeMap<>();
    private final Map<DatacenterName, PoolMemory> pools = new TreeMap<>();
    private final Map<DatacenterName, MachinePark> parks = new TreeMap<>();
    private final Map<DatacenterName, Map<AllocationId, SimNode>> nodes = new TreeMap<>();
    private final IdentityHashMap<StoredRecord, StoredRecord> read = new IdentityHashMap<>();
    private WorldListener listener = new WorldListener() {};
    private PoolListener poolListener = new PoolListener() {};
    private BrokenWork broken = BrokenWork.none();
    private boolean rowsInPieces;
    private boolean keepsFailedJoins;
    private boolean recordsRepairs;
    private boolean needsReplicasToCompare;
    private boolean knowsTls;
    private boolean partitioned;
    private int hosts;

    /** @param kinds of the pools, one for each datacenter */
    public World(
            VirtualClock clock,
            SeededRandom random,
            Trace trace,
            ActiveFaults faults,
            Mutation planted,
            List<PoolKind> kinds) {
        this.clock = clock;
        this.random = random;
        this.trace = trace;
        this.faults = faults;
        this.planted = planted;
        this.network = new SimNetwork(clock, random, faults);
        this.clients = new SimClients(clock);
        this.serverClocks = new ServerClocks(clock);
        for (int d = 0; d < DATACENTERS.size(); d++) {
            DatacenterName name = DATACENTERS.get(d);
            parks.put(name, new MachinePark(kinds.get(d), d + 1));
            pools.put(name, new PoolMemory(kinds.get(d), d + 1, planted));
            nodes.put(name, new TreeMap<>());
            stores.put(name, new InMemoryStore());
        }
    }

    /** Connects the servers of a datacenter, which must happen before the clock runs. */
    public void connect(DatacenterName datacenter, DatacenterServers datacenterServers) {
        servers.put(datacenter, datacenterServers);
    }

    /** Replaces the listeners, which accept everything until then. */
    public void listen(WorldListener toNodes, PoolListener toPools) {
        listener = toNodes;
        poolListener = toPools;
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

    public ServerClocks serverClocks() {
        return serverClocks;
    }

    public Ring ring() {
        return ring;
    }

    public Gossip gossip() {
        return gossip;
    }

    public MachineLosses losses() {
        return losses;
    }

    public Keyspaces keyspaces() {
        return keyspaces;
    }

    public Ledgers ledgers() {
        return ledgers;
    }

    public Declarations declarations() {
        return declarations;
    }

    public FormerEndpoints formerEndpoints() {
        return formerEndpoints;
    }

    public RemovedNodes removedNodes() {
        return removedNodes;
    }

    /** The nodes whose executor ever reported that it has failed itself. */
    public Set<NodeId> executorFailures() {
        return executorFailures;
    }

    public RestoredClusters restores() {
        return restores;
    }

    public Roles roles() {
        return roles;
    }

    public WorldListener listener() {
        return listener;
    }

    public PoolListener poolListener() {
        return poolListener;
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

    /** The record as a new leader reads it. Most are the same for many leaders. */
    public StoredRecord throughJson(StoredRecord record) {
        return read.computeIfAbsent(record, r -> Json.parse(Json.text(r), r.getClass()));
    }

    /** How often any store has changed. */
    public long commits() {
        return stores.values().stream().mapToLong(InMemoryStore::commits).sum();
    }

    int nextHost() {
        return ++hosts;
    }

    /** Tasks and joins fail until the faults stop. */
    public void breakWork(BrokenWork some) {
        broken = some;
    }

    /** Joins, rebuilds and decommissions move rows piece by piece; a join only from nodes that are up. */
    public void moveRowsInPieces() {
        rowsInPieces = true;
    }

    public boolean movesRowsInPieces() {
        return rowsInPieces;
    }

    /** A daemon whose bootstrap fails stays up and serves nobody, as in Cassandra 5.0; otherwise it exits. */
    public void keepFailedJoins() {
        keepsFailedJoins = true;
    }

    boolean keepsFailedJoins() {
        return keepsFailedJoins;
    }

    /** Nodes record what they repaired, and skip that in a repair that was requested before. */
    public void recordRepairs() {
        recordsRepairs = true;
    }

    boolean recordsRepairs() {
        return recordsRepairs;
    }

    /** A comparison of rows needs the replicas that it compares; otherwise each answers. */
    public void needReplicasToCompare() {
        needsReplicasToCompare = true;
    }

    boolean needsReplicasToCompare() {
        return needsReplicasToCompare;
    }

    /** Executors know TLS, and specs may ask for it. */
    public void knowTls() {
        knowsTls = true;
    }

    boolean knowsTls() {
        return knowsTls;
    }

    BrokenWork brokenWork() {
        return broken;
    }

    /** Nothing breaks any more; the partition ends, and machines return that are not lost for good. */
    public void stopFaults() {
        faults.stop();
        broken = BrokenWork.none();
        partition(false);
        network.heal();
        losses.giveBackAll();
        allNodes().forEach(n -> n.daemon().diskFull(false));
        allNodes().forEach(SimNode::clockIsRight);
        allNodes().forEach(n -> n.daemon().resume());
        allNodes().forEach(n -> n.executor().advance());
    }

    public MachinePark park(DatacenterName datacenter) {
        return Objects.requireNonNull(parks.get(datacenter), "every datacenter is there from the start");
    }

    /** The allocations of the datacenter, which the caller may change. */
    public Map<AllocationId, SimNode> nodes(DatacenterName datacenter) {
        return Objects.requireNonNull(nodes.get(datacenter), "every datacenter is there from the start");
    }

    private List<SimNode> allNodes() {
        return nodes.values().stream().flatMap(m -> m.values().stream()).toList();
    }

    /** Called more often than anything else here, hence no stream. */
    public List<SimNode> nodesOf(ClusterName cluster) {
        List<SimNode> found = new ArrayList<>();
        for (Map<AllocationId, SimNode> all : nodes.values()) {
            for (SimNode node : all.values()) {
                if (node.cluster().equals(cluster)) {
                    found.add(node);
                }
            }
        }
        return Collections.unmodifiableList(found);
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
        members(id.cluster()).filter(n -> n != joining && n.id().equals(id)).forEach(former -> {
            formerEndpoints.replaced(former, joining);
            ledgers.replaced(former);
        });
        removedNodes.replaced(id);
        nodesOf(id.cluster()).stream()
                .filter(n -> n != joining && n.id().equals(id) && n.joined())
                .forEach(SimNode::markReplaced);
    }

    public void partition(boolean apart) {
        partitioned = apart;
        if (!apart) {
            allNodes().stream().map(SimNode::cluster).distinct().toList().forEach(gossip::spread);
        }
    }

    public boolean isPartitioned() {
        return partitioned;
    }

    boolean isConnected(SimNode a, SimNode b) {
        return !partitioned || a.datacenter().equals(b.datacenter());
    }

    /** The pool releases the allocation and keeps its volume. */
    public void release(SimNode node) {
        removedNodes.add(node);
        node.place().becomes(AllocationState.Status.RELEASED, "volume kept");
    }
}
