package io.ringmaster.simulator;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What must hold when something happens, whatever breaks. */
final class Invariants {
    /** After so long every controller must have learned that a node is down. */
    static final int KNOWN_DOWN_MILLIS = 20_000;

    private final World world;
    private final Map<ClusterName, Long> destroyAskedMillis = new TreeMap<>();
    private final Map<ClusterName, TreeSet<Long>> declaredMillis = new TreeMap<>();

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
                        && world.records(datacenter, NodeRecord.class).stream()
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
        world.records(datacenter, NodeRecord.class).stream()
                .filter(n -> n.allocation().id().equals(wanted.id()) && n.replaces() != null)
                .forEach(this::replaces);
        world.records(datacenter, NodeRecord.class).stream()
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

    boolean mayHoldData(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && c.created() && !c.deleting());
    }

    boolean isDeclared(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && !c.deleting());
    }

    private boolean isDeleting(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && c.deleting());
    }
}
