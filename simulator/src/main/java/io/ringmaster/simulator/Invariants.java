package io.ringmaster.simulator;

import io.ringmaster.core.operation.AutomaticReplace;
import io.ringmaster.core.operation.ScheduledRepair;
import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.request.Request;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What must hold all along, whatever breaks. */
final class Invariants {
    /** After so long every controller must have learned that a node is down. */
    private static final int KNOWN_DOWN_MILLIS = 20_000;

    /** So often in a row a plan may be seen without a reason under a leader: its next look may fall to the one after. */
    private static final int LOOKS_WITHOUT_REASON = 10;

    /** In both datacenters together. */
    static final int REPLACEMENTS_AT_ONCE = 1;

    private static final Duration SCHEDULE_PAUSE = Duration.ofMinutes(7);

    private final World world;
    private final Map<ClusterName, Long> destroyAskedMillis = new TreeMap<>();
    private final Map<ClusterName, TreeSet<Long>> declaredMillis = new TreeMap<>();
    private final Set<RequestId> replacements = new HashSet<>();
    /** Clusters that were complete in a datacenter when it was looked last. */
    private final Set<String> whole = new HashSet<>();

    private final Map<PlanId, Integer> looksWithoutReason = new TreeMap<>();

    Invariants(World world) {
        this.world = world;
    }

    /** A user's declaration began the cluster. A datacenter may make volumes of it after it was told to go elsewhere. */
    void declared(ClusterName cluster) {
        world.dead.forget(cluster);
        world.keyspaces.forget(cluster);
        declaredMillis.computeIfAbsent(cluster, c -> new TreeSet<>()).add(world.timeline.nowMillis());
    }

    /** A user asked for the data to go. */
    void destroyAsked(ClusterName cluster) {
        destroyAskedMillis.put(cluster, world.timeline.nowMillis());
    }

    /** A node without data is about to join. */
    void joins(SimNode node, NodeTarget target, SeedAnswer answer) {
        if (mayHoldData(node.allocation.node().cluster())) {
            if (target.firstCreation()) {
                throw new Violation(
                        "first-creation-once", node.name() + " joins without bootstrap a cluster that may hold data");
            }
            if (answer.isSeed()) {
                throw new Violation(
                        "joining-never-seed",
                        node.name() + " is told that it is a seed of a cluster that may hold data");
            }
        }
    }

    /** A plan takes a serving node down. */
    void takenDown(SimNode node) {
        ClusterName cluster = node.allocation.node().cluster();
        if (!mayHoldData(cluster) || isDeleting(cluster)) {
            return;
        }
        requireReady(node);
        membersBeside(node).forEach(other -> {
            requireUp(node, "is taken down", other);
            if (other.mode == OperatingMode.LEAVING) {
                throw new Violation("budget", node.name() + " is taken down while " + other.name() + " leaves");
            }
        });
    }

    /** A plan has a member hand its ranges over and leave. */
    void leaves(SimNode node) {
        requireReady(node);
        List<SimNode> others = membersBeside(node);
        others.forEach(other -> requireUp(node, "begins to leave", other));
        world.nodesOf(node.allocation.node().cluster()).stream()
                .filter(n -> n != node && (n.mode == OperatingMode.LEAVING || n.mode == OperatingMode.JOINING))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "one-ring-change", node.name() + " begins to leave while " + n.name() + " is " + n.mode);
                });
        DatacenterName datacenter = node.allocation.node().datacenter();
        long stay = others.stream()
                .filter(n -> n.allocation.node().datacenter().equals(datacenter))
                .count();
        if (stay < world.keyspaces.most(node.allocation.node().cluster(), datacenter)) {
            throw new Violation("replicas-kept", node.name() + " leaves only " + stay + " nodes in " + datacenter);
        }
    }

    private void requireReady(SimNode node) {
        world.ring.unready(node, KNOWN_DOWN_MILLIS).ifPresent(v -> {
            throw v;
        });
    }

    private void requireUp(SimNode node, String what, SimNode other) {
        boolean byPlan = other.down == SimNode.Down.PLAN;
        if (byPlan || isKnownDown(other)) {
            throw new Violation(
                    "budget",
                    node.name() + " " + what + " while " + other.name() + " is down"
                            + (byPlan ? " for a plan" : " and everybody knows"));
        }
    }

    private boolean isKnownDown(SimNode node) {
        return node.down != SimNode.Down.NO && world.timeline.nowMillis() - node.downMillis > KNOWN_DOWN_MILLIS;
    }

    private List<SimNode> membersBeside(SimNode node) {
        return members(node.allocation.node().cluster()).filter(n -> n != node).toList();
    }

    /** Those that own ranges of the ring, also while they are dead. */
    Stream<SimNode> members(ClusterName cluster) {
        Stream<SimNode> there = world.nodesOf(cluster).stream().filter(n -> n.claim != AllocationState.Status.RELEASED);
        return Stream.concat(there, world.dead.of(cluster).stream()).filter(SimNode::isMember);
    }

    /** A daemon is about to serve from the volume that it has. */
    void returns(SimNode node) {
        if (node.replaced) {
            throw new Violation("replaced-stays-dead", node.name() + " runs again though another took its place");
        }
    }

    /** Whether the disks of a machine may be lost: its members are known as such, their clusters complete, and all others of those are well. */
    boolean hasReplicasElsewhere(DatacenterName datacenter, MachineName machine) {
        return world.nodes(datacenter).values().stream()
                .filter(n -> n.allocation.machine().equals(machine) && n.claim != AllocationState.Status.RELEASED)
                .allMatch(n -> (n.mode == OperatingMode.NORMAL || isLeavingOthers(n))
                        && mayHoldData(n.allocation.node().cluster())
                        && records(datacenter, NodeRecord.class).stream()
                                .anyMatch(r -> r.joined() && r.allocation().id().equals(n.allocation.id()))
                        && membersBeside(n).stream().allMatch(other -> other.mode == OperatingMode.NORMAL));
    }

    /** One that is the last of its datacenter nobody there could take out of the ring. */
    private boolean isLeavingOthers(SimNode node) {
        return node.mode == OperatingMode.LEAVING
                && membersBeside(node).stream().anyMatch(n -> n.allocation
                        .node()
                        .datacenter()
                        .equals(node.allocation.node().datacenter()));
    }

    /** A node is about to repair its ranges. */
    void repairs(SimNode node) {
        world.nodesOf(node.allocation.node().cluster()).stream()
                .filter(n -> n != node && n.repairs() && n.executorUp && n.machineUp())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "one-repair", node.name() + " begins a repair while " + n.name() + " is at one");
                });
    }

    /** A server asks something of the pool, which refuses nobody. */
    void asksPool(SimServer server, String what) {
        Datacenter datacenter = server.datacenter();
        if (datacenter.leader().filter(s -> s == server).isEmpty()) {
            throw new Violation(
                    "only-the-leader-asks",
                    datacenter.name + "#" + server.number() + " leads no more and asks to " + what);
        }
    }

    /** An allocation that was not there is made. */
    void reserves(DatacenterName datacenter, Allocation wanted) {
        records(datacenter, NodeRecord.class).stream()
                .filter(n -> n.allocation().id().equals(wanted.id()) && n.replaces() != null)
                .forEach(this::replaces);
        records(datacenter, NodeRecord.class).stream()
                .filter(n -> n.allocation().id().equals(wanted.id()) && n.joined())
                .forEach(n -> {
                    throw new Violation("no-volume-lost", "an empty volume takes the place of that of " + n.id());
                });
        List<Allocation> there = world.nodes(datacenter).values().stream()
                .filter(n -> n.claim != AllocationState.Status.RELEASED)
                .map(n -> n.allocation)
                .filter(a -> a.machine().equals(wanted.machine()))
                .toList();
        Machine machine = world.machines(datacenter).stream()
                .filter(m -> m.name().equals(wanted.machine()))
                .findFirst()
                .orElseThrow();
        Set<Integer> ports = new HashSet<>(wanted.ports().all());
        there.forEach(a -> a.ports().all().stream().filter(p -> !ports.add(p)).forEach(p -> {
            throw new Violation("distinct-ports", a.id() + " and " + wanted.id() + " both have port " + p);
        }));
        long memory = wanted.resources().memoryBytes()
                + there.stream().mapToLong(a -> a.resources().memoryBytes()).sum();
        if (memory > machine.memoryBytes()) {
            throw new Violation("capacity", machine.name() + " is given " + memory + " bytes of memory");
        }
    }

    /** A dead node begins anew: what it streams must not come from the one replica that is left. */
    private void replaces(NodeRecord anew) {
        members(anew.id().cluster())
                .filter(n -> !n.allocation.node().equals(anew.id()) && isKnownDown(n))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation("replaced-beside-none-down", anew.id() + " is replaced beside " + n.name());
                });
    }

    /** A datacenter is to keep no replicas of a keyspace any more. */
    void drops(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        boolean kept = world.keyspaces.keepers(cluster, keyspace).stream()
                .filter(d -> !d.equals(datacenter))
                .anyMatch(d -> world.keyspaces.lacking(cluster, keyspace, d).isEmpty());
        if (!kept) {
            throw new Violation("last-copy-kept", "only " + datacenter + " has all rows of " + keyspace);
        }
    }

    /** A volume is destroyed. */
    void destroys(SimNode node) {
        ClusterName cluster = node.allocation.node().cluster();
        Long asked = destroyAskedMillis.get(cluster);
        Long declared = declaredMillis.getOrDefault(cluster, new TreeSet<>()).floor(node.bornMillis);
        if (asked == null || (declared != null && asked < declared)) {
            throw new Violation("no-volume-lost", "nobody asked to destroy the volume of " + node.name());
        }
    }

    /** What can be read off the stores at any moment. */
    void check() {
        asksClients();
        schedulesAskOnce();
        replacesFewAndDeadNodesByItself();
        Map<ClusterName, Set<String>> tokens = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            Set<String> places = new HashSet<>();
            for (NodeRecord node : records(datacenter, NodeRecord.class)) {
                Allocation allocation = node.allocation();
                unique(places, allocation.id().value(), "one-allocation-one-node");
                allocation.ports().all().forEach(p -> unique(places, allocation.address() + ":" + p, "distinct-ports"));
                node.tokens()
                        .forEach(t -> unique(
                                tokens.computeIfAbsent(node.id().cluster(), c -> new HashSet<>()),
                                t,
                                "distinct-tokens"));
            }
            Set<String> open = new HashSet<>();
            for (PlanRecord record : records(datacenter, PlanRecord.class)) {
                Plan plan = record.plan();
                if (!plan.status().isOver()) {
                    if (plan.request() == null) {
                        unique(open, plan.cluster().value(), "one-open-plan");
                    }
                    hasReason(world.datacenters.get(datacenter), plan);
                }
            }
        }
    }

    /** A datacenter begins to leave only while no service is connected there, unless a user forced it. */
    private void asksClients() {
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (ClusterRecord record : records(datacenter, ClusterRecord.class)) {
                boolean was = (record.deleting() || record.created())
                        ? whole.add(datacenter + "/" + record.name())
                        : whole.remove(datacenter + "/" + record.name());
                List<SpecRecord> without = records(datacenter, SpecRecord.class).stream()
                        .filter(s -> s.cluster().equals(record.name())
                                && s.spec().datacenter(datacenter).isEmpty())
                        .toList();
                // not one that was declared anew under the name of a deleted one, and was never whole
                boolean leaves = was
                        && !record.created()
                        && !record.deleting()
                        && without.stream().anyMatch(s -> s.version() == record.targetSpecVersion());
                boolean forced = without.stream().anyMatch(SpecRecord::forced);
                if (leaves && !forced && world.clients.areThereFor(KNOWN_DOWN_MILLIS, record.name(), datacenter)) {
                    throw new Violation(
                            "clients-are-asked", datacenter + " leaves " + record.name() + " under its clients");
                }
            }
        }
    }

    /** A schedule asks once in a while, whatever became of leaders meanwhile. */
    private void schedulesAskOnce() {
        TreeMap<RequestId, Request> asked = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            records(datacenter, RequestRecord.class).stream()
                    .map(RequestRecord::request)
                    .filter(r -> r.who().equals(ScheduledRepair.WHO))
                    .forEach(r -> asked.put(r.id(), r));
        }
        for (Request request : asked.values()) {
            asked.headMap(request.id()).values().stream()
                    .filter(r -> r.cluster().equals(request.cluster())
                            && Objects.equals(r.incarnation(), request.incarnation()))
                    .filter(r -> Duration.between(r.at(), request.at()).abs().compareTo(SCHEDULE_PAUSE) < 0)
                    .findFirst()
                    .ifPresent(r -> {
                        throw new Violation("schedule-asks-once", r.id() + " and " + request.id() + " are too close");
                    });
        }
    }

    /** What nobody asked to replace: so many at once, and none that serves. */
    private void replacesFewAndDeadNodesByItself() {
        Set<RequestId> open = new TreeSet<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (RequestRecord record : records(datacenter, RequestRecord.class)) {
                Request request = record.request();
                if (request.who().equals(AutomaticReplace.WHO)) {
                    if (!record.part().state().isOver()) {
                        open.add(request.id());
                    }
                    if (replacements.add(request.id())) {
                        isDead(request);
                    }
                }
            }
        }
        if (open.size() > REPLACEMENTS_AT_ONCE) {
            throw new Violation("few-replacements", open + " are under way at once");
        }
    }

    private void isDead(Request request) {
        String node = request.cluster() + "/" + request.params().get("node");
        world.nodesOf(request.cluster()).stream()
                .filter(n ->
                        n.allocation.node().value().equals(node) && n.mode == OperatingMode.NORMAL && n.machineUp())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation("only-the-dead-are-replaced", n.name() + " serves and is to be replaced");
                });
    }

    private void hasReason(Datacenter datacenter, Plan plan) {
        boolean reasoned = plan.status() == PlanStatus.FAILED
                ? plan.problem() != null
                : plan.phases().stream()
                        .flatMap((Phase p) -> p.steps().stream())
                        .filter(s -> !s.status().isOver())
                        .anyMatch(s -> s.reason() != null && s.since() != null);
        boolean waits = plan.status() == PlanStatus.PAUSED;
        if (reasoned || waits) {
            looksWithoutReason.remove(plan.id());
        } else if (datacenter.leader().filter(SimServer::leads).isPresent()
                && looksWithoutReason.merge(plan.id(), 1, Integer::sum) > LOOKS_WITHOUT_REASON) {
            throw new Violation(
                    "every-wait-has-a-reason", "plan " + plan.id() + " is " + plan.status() + " without one");
        }
    }

    private static void unique(Set<String> taken, String key, String invariant) {
        if (!taken.add(key)) {
            throw new Violation(invariant, key + " is there twice");
        }
    }

    boolean mayHoldData(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && c.created() && !c.deleting());
    }

    boolean isDeclared(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && !c.deleting());
    }

    private boolean isDeleting(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && c.deleting());
    }

    private <R extends StoredRecord> List<R> records(DatacenterName datacenter, Class<R> type) {
        return world.datacenters.get(datacenter).records.load().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }
}
