package io.ringmaster.core;

import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The view of dc1 on the cluster {@code rides}, built for a test. Nodes are addressed by their index. */
public final class Scene {
    public static final ClusterName RIDES = new ClusterName("rides");
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final TreeMap<MachineName, Machine> machines = new TreeMap<>();
    private final TreeMap<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final TreeMap<ClusterName, ClusterRecord> clusters = new TreeMap<>();
    private final TreeMap<Long, SpecRecord> specs = new TreeMap<>();
    private final TreeMap<NodeId, NodeRecord> nodes = new TreeMap<>();
    private final TreeMap<NodeId, Observation<NodeStatus>> statuses = new TreeMap<>();

    /** What gossip shows of a node that reports something else. */
    private final TreeMap<NodeId, NodeStatus> seenAs = new TreeMap<>();

    private final PeerScene peers = new PeerScene();
    private final RingScene ring = new RingScene();
    private final TreeMap<PlanId, Plan> plans = new TreeMap<>();
    private Instant now = NOW;
    private boolean poolSeen = true;
    private PoolCapabilities capabilities = PoolCapabilities.OF_MACHINES;

    /** The spec is declared as version 1; nothing is placed. */
    public static Scene declared(ClusterSpec spec) {
        Scene scene = new Scene();
        for (int m = 1; m <= 3; m++) {
            Machine machine = Samples.machine(m, "r" + m);
            scene.machines.put(machine.name(), machine);
        }
        return scene.version(spec);
    }

    /** Every node is placed and not launched. */
    public static Scene placed(ClusterSpec spec) {
        Scene scene = declared(spec);
        int count = spec.datacenter(Samples.DC1).orElseThrow().nodes();
        List<RackName> racks = IntStream.rangeClosed(1, count)
                .mapToObj(m -> new RackName("r" + m))
                .toList();
        List<String> tokens = Tokens.forFirstCreation(spec, Samples.DC1, racks, Set.of());
        for (int i = 0; i < count; i++) {
            NodeId id = node(i);
            Machine machine = Samples.machine(i + 1, "r" + (i + 1));
            Allocation claim = new Allocation(
                    new AllocationId("rides-dc1-node-" + i),
                    id,
                    machine.name(),
                    new NodePorts(7000, 7001, 9042, 9500),
                    spec.resources());
            scene.nodes.put(id, NodeRecord.placed(id, claim, machine.rack(), List.of(tokens.get(i)), 1));
        }
        return scene;
    }

    /** Every node is launched and NORMAL, sees all, and the cluster is created. */
    public static Scene live(ClusterSpec spec) {
        Scene scene = placed(spec).created();
        for (NodeId id : List.copyOf(scene.nodes.keySet())) {
            scene.record(id.index(), r -> r.decide(1).proven().knownAs("host-" + id.index(), endpoint(r)))
                    .claim(id.index(), AllocationState.Status.RUNNING)
                    .says(id.index(), OperatingMode.NORMAL);
        }
        return scene;
    }

    /** Where a node here listens: on its machine, which has the same number. */
    public static String endpoint(NodeRecord node) {
        String machine = node.allocation().machine().value();
        return "127.1.1." + machine.substring(machine.indexOf('-') + 1) + ":"
                + node.allocation().ports().storage();
    }

    public static NodeId node(int index) {
        return new NodeId(RIDES, Samples.DC1, index);
    }

    /** One more version of the spec, which is the target from now on. */
    public Scene version(ClusterSpec spec) {
        long version = specs.isEmpty() ? 1 : specs.lastKey() + 1;
        specs.put(version, new SpecRecord(RIDES, version, spec, "yaml", "alice", Samples.DC1, NOW, "dc1-1"));
        ClusterRecord known = clusters.get(RIDES);
        clusters.put(RIDES, new ClusterRecord(RIDES, version, known != null && known.created(), false, false));
        return this;
    }

    public Scene created() {
        clusters.computeIfPresent(
                RIDES, (n, c) -> new ClusterRecord(n, c.targetSpecVersion(), true, c.deleting(), c.destroyData()));
        return this;
    }

    /** Nodes here were launched before the cluster was created. */
    public Scene founder() {
        clusters.computeIfPresent(RIDES, (n, c) -> c.found());
        return this;
    }

    public Scene deleting() {
        clusters.computeIfPresent(
                RIDES, (n, c) -> new ClusterRecord(n, c.targetSpecVersion(), c.created(), true, c.destroyData()));
        return this;
    }

    public Scene record(int index, UnaryOperator<NodeRecord> change) {
        nodes.computeIfPresent(node(index), (id, r) -> change.apply(r));
        return this;
    }

    /** The records as these changes leave them: for the next look after a crash. */
    public Scene after(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put && put.record() instanceof NodeRecord node) {
                nodes.put(node.id(), node);
            } else if (change instanceof Change.Put put && put.record() instanceof ClusterRecord cluster) {
                clusters.put(cluster.name(), cluster);
            } else {
                nodes.values().removeIf(n -> n.key().equals(change.key()));
            }
        }
        return this;
    }

    public Scene claim(int index, AllocationState.Status status) {
        return claim(index, status, null, NOW);
    }

    public Scene claim(int index, AllocationState.Status status, @Nullable String detail, Instant since) {
        Allocation allocation = nodes.get(node(index)).allocation();
        allocations.put(
                allocation.id(),
                AllocationState.of(allocation, status, since, 1).withDetail(detail));
        return this;
    }

    public Scene failed(int index, Problem problem, Instant since) {
        Allocation allocation = nodes.get(node(index)).allocation();
        allocations.put(allocation.id(), AllocationState.failed(allocation, since, 1, problem));
        return this;
    }

    public Scene claimed(Allocation allocation, AllocationState.Status status) {
        allocations.put(allocation.id(), AllocationState.of(allocation, status, NOW, 1));
        return this;
    }

    /** The pool no longer offers it, and its executor cannot be reached. */
    public Scene machineLost(int index) {
        machines.remove(nodes.get(node(index)).allocation().machine());
        return failed(index, Problem.of(ErrorCode.MACHINE_LOST, "the machine is lost", "switch its power on"), NOW)
                .silent(index);
    }

    /** Adds a machine. */
    public Scene with(Machine machine) {
        machines.put(machine.name(), machine);
        return this;
    }

    public Scene without(Machine machine) {
        machines.remove(machine.name());
        return this;
    }

    public Scene claimGone(int index) {
        allocations.remove(nodes.get(node(index)).allocation().id());
        return this;
    }

    /** A released allocation with this much disk on the machine of a node. */
    public Scene keptVolume(String id, int index, long diskBytes) {
        Allocation like = nodes.get(node(index)).allocation();
        Allocation kept = new Allocation(
                new AllocationId(id),
                node(9),
                like.machine(),
                like.ports(),
                new NodeResources(16_000, 64 * Samples.GIB, Samples.GIB, diskBytes));
        return claimed(kept, AllocationState.Status.RELEASED);
    }

    /** An allocation that no record names. */
    public Scene stray(String id, AllocationState.Status status) {
        Allocation like = new Allocation(
                new AllocationId(id),
                node(9),
                new MachineName("machine-1"),
                new NodePorts(7002, 7003, 9043, 9501),
                Samples.SMALL);
        allocations.put(like.id(), AllocationState.of(like, status, NOW, 1));
        return this;
    }

    /** The executor has the newest target, and the daemon runs with it. */
    public Scene says(int index, OperatingMode mode) {
        NodeRecord record = nodes.get(node(index));
        return says(index, mode, record.generation(), record.specVersion(), 0);
    }

    public Scene says(int index, OperatingMode mode, long generation, long appliedSpecVersion, int exits) {
        Problem problem = exits == 0 ? null : Problem.of(ErrorCode.DAEMON_FAILED, "bad option");
        says(index, mode, generation, appliedSpecVersion, exits, problem);
        return this;
    }

    private void says(
            int index,
            OperatingMode mode,
            long generation,
            long appliedSpecVersion,
            int exits,
            @Nullable Problem problem) {
        NodeStatus status = new NodeStatus(
                node(index),
                generation,
                appliedSpecVersion,
                0,
                mode,
                "doing things",
                NOW,
                Map.of(),
                1,
                2L,
                exits,
                problem,
                null,
                null,
                Map.of());
        statuses.put(node(index), new Observation<>(status, NOW, null));
    }

    /** Its companion stops to answer, and the other nodes still see it alive. */
    public Scene pauses(int index, OperatingMode mode) {
        NodeStatus before = Objects.requireNonNull(statuses.get(node(index)).last());
        seenAs.put(node(index), before);
        return says(index, mode, before.generation(), before.appliedSpecVersion(), 0);
    }

    /** The daemon serves on with an older version, since it did not take the newest live. */
    public Scene refuses(int index, long runningVersion) {
        Problem refusal = new Problem(
                ErrorCode.CONFIGURATION_REJECTED, "cassandra_yaml.concurrent_compactors", "is refused", (Advice) null);
        long generation = nodes.get(node(index)).generation();
        says(index, OperatingMode.NORMAL, generation, runningVersion, 0, refusal);
        return this;
    }

    /** A daemon that is starting and has read neither schema nor ring yet. */
    public Scene knowsNothingYet(int index) {
        says(index, OperatingMode.STARTING);
        statuses.computeIfPresent(node(index), (id, s) -> new Observation<>(ring.blank(s.last()), s.at(), s.silence()));
        return this;
    }

    /** Whether the node reports that it accepts clients from now on; without this it does. */
    public Scene access(int index, ClientAccess access) {
        ring.access(node(index), Optional.of(access));
        return this;
    }

    /** An older executor, which does not report it. */
    public Scene accessUnknown(int index) {
        ring.access(node(index), Optional.empty());
        return this;
    }

    /** The executor reports this state of the task that the node's record names. */
    public Scene task(int index, TaskStatus.State state, String message) {
        NodeTask task = nodes.get(node(index)).task();
        ring.task(node(index), new TaskStatus(task.id(), task.kind(), state, 0, 0, "", message, NOW, NOW));
        return this;
    }

    /** The repair state of the node's ranges of the one user keyspace. */
    public Scene repaired(int index, double share, @Nullable Instant oldest) {
        ring.repaired(node(index), share, oldest);
        return this;
    }

    /** Bytes of hints on this node's disk for the node with this host id, which is {@code host-N} for node-N. */
    public Scene hints(int index, String host, long bytes) {
        ring.hints(node(index), host, bytes);
        return this;
    }

    /** A user keyspace with this number of replicas in each datacenter, as all nodes report it. */
    public Scene replicas(String keyspace, int count) {
        ring.replicas(keyspace, count);
        return this;
    }

    /** A client is connected to a node here. */
    public Scene client(int index, String address, int connections) {
        ring.client(node(index), address, connections);
        return this;
    }

    /** The newest version was applied with --force. */
    public Scene forced() {
        specs.computeIfPresent(
                specs.lastKey(),
                (n, s) -> new SpecRecord(
                        s.cluster(),
                        s.version(),
                        s.spec(),
                        s.source(),
                        s.appliedBy(),
                        s.appliedIn(),
                        s.appliedAt(),
                        s.incarnation(),
                        true));
        return this;
    }

    public Scene later(int seconds) {
        now = now.plusSeconds(seconds);
        return this;
    }

    /** The deploy of version 1 is complete. */
    public Scene settled() {
        return plan(new Plan(
                new PlanId(Samples.DC1, 1),
                RIDES,
                "deploy",
                Map.of(),
                1,
                "alice",
                null,
                NOW,
                NOW,
                PlanStatus.COMPLETE,
                List.of(),
                List.of(),
                null,
                null));
    }

    public static NodeRecord inRack(NodeRecord r, String rack) {
        return NodeRecordBuilder.builder(r).rack(new RackName(rack)).build();
    }

    public Scene silent(int index) {
        Observation<NodeStatus> known = statuses.get(node(index));
        statuses.put(node(index), new Observation<>(known == null ? null : known.last(), NOW, "connection refused"));
        return this;
    }

    public Scene unheard(int index) {
        statuses.remove(node(index));
        return this;
    }

    public Scene pool(PoolCapabilities able) {
        capabilities = able;
        return this;
    }

    /** The pool's report on one allocation is another one. */
    public Scene reported(int index, UnaryOperator<AllocationState> change) {
        allocations.computeIfPresent(nodes.get(node(index)).allocation().id(), (id, state) -> change.apply(state));
        return this;
    }

    public Scene machine(int index, UnaryOperator<Machine> change) {
        machines.computeIfPresent(nodes.get(node(index)).allocation().machine(), (name, m) -> change.apply(m));
        return this;
    }

    public Scene poolUnseen() {
        poolSeen = false;
        return this;
    }

    /**
     * dc2 answers: this number of its nodes is placed, at this version, settled or not; each joined one holds 1 GiB.
     */
    public Scene peer(int nodesPlaced, long version, long settled, boolean joined, @Nullable String unplanned) {
        peers.reports(nodesPlaced, specs.get(version), settled, joined, unplanned);
        return this;
    }

    /** The report of dc2, which answers, on one of its nodes. */
    public Scene peerNode(int index, OperatingMode mode) {
        return peerNode(index, true, mode);
    }

    /** The report on a node that has joined, or on a joining one. */
    public Scene peerNode(int index, boolean joined, OperatingMode mode) {
        peers.node(index, joined, mode);
        return this;
    }

    /** The oldest repair of a range there, as dc2 reports it. */
    public Scene peerRepaired(Instant oldest) {
        peers.repaired(oldest);
        return this;
    }

    public Scene peerSilent() {
        peers.silent();
        return this;
    }

    /** A node of dc2 as all nodes here see it through gossip. */
    public Scene remoteSeen(int index, boolean alive) {
        ring.remoteSeen(remoteEndpoint(index), alive);
        return this;
    }

    /** All nodes here still see this node at its former endpoint, too. */
    public Scene formerSeen(int index, String endpoint) {
        ring.formerSeen(index, endpoint);
        return this;
    }

    public Scene plan(Plan plan) {
        plans.put(plan.id(), plan);
        return this;
    }

    public static String remoteEndpoint(int index) {
        return "127.1.2." + (index + 1) + ":7000";
    }

    public View view() {
        TreeMap<NodeId, Observation<NodeStatus>> seen = new TreeMap<>();
        statuses.forEach((id, s) -> seen.put(id, new Observation<>(withRing(s.last()), s.at(), s.silence())));
        SortedMap<Long, SpecRecord> versions = new TreeMap<>(specs);
        return new View(
                now,
                1,
                Samples.DC1,
                List.of("http://127.0.0.1:8080"),
                poolSeen,
                capabilities,
                machines,
                allocations,
                clusters,
                Map.of(RIDES, versions),
                nodes,
                seen,
                peers.sightings(),
                new TreeSet<>(List.of(Samples.DC2)),
                plans,
                Map.of());
    }

    private @Nullable NodeStatus withRing(@Nullable NodeStatus status) {
        if (status == null || (status.mode() != OperatingMode.NORMAL && !ring.reportsAccess(status.node()))) {
            return status;
        }
        return ring.toldBy(
                status,
                nodes.values().stream()
                        .filter(n -> statuses.containsKey(n.id()))
                        .map(n -> RingScene.seen(
                                n,
                                seenAs.getOrDefault(n.id(), statuses.get(n.id()).last()))));
    }
}
