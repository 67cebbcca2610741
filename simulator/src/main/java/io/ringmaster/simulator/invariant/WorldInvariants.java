package io.ringmaster.simulator.invariant;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.simulator.world.Declarations;
import io.ringmaster.simulator.world.Ring;
import io.ringmaster.simulator.world.SimDaemon;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import io.ringmaster.simulator.world.WorldListener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold whenever something happens in the world. Each method throws a {@link Violation}. */
public final class WorldInvariants implements WorldListener {
    /** Every controller must know of an outage after this time. */
    static final int KNOWN_MILLIS = 20_000;

    private final World world;
    private final Declarations declarations;

    public WorldInvariants(World world) {
        this.world = world;
        this.declarations = world.declarations();
    }

    @Override
    public void joining(SimNode node, NodeTarget target, SeedAnswer answer) {
        if (declarations.mayHoldData(node.cluster())) {
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

    @Override
    public void takenDown(SimNode node) {
        if (!declarations.mayHoldData(node.cluster()) || declarations.isDeleting(node.cluster())) {
            return;
        }
        requireSettled(node);
        world.membersBeside(node).forEach(other -> {
            requireUp(node, "is taken down", other);
            if (other.mode() == OperatingMode.LEAVING) {
                throw new Violation("budget", node.name() + " is taken down while " + other.name() + " leaves");
            }
        });
    }

    @Override
    public void leaving(SimNode node) {
        requireSettled(node);
        List<SimNode> others = world.membersBeside(node);
        others.forEach(other -> requireUp(node, "begins to leave", other));
        world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node && (n.mode() == OperatingMode.LEAVING || n.mode() == OperatingMode.JOINING))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "one-ring-change", node.name() + " begins to leave while " + n.name() + " is " + n.mode());
                });
        DatacenterName datacenter = node.datacenter();
        long remaining =
                others.stream().filter(n -> n.datacenter().equals(datacenter)).count();
        if (remaining < world.keyspaces().maxReplicas(node.cluster(), datacenter)) {
            throw new Violation("replicas-kept", node.name() + " leaves only " + remaining + " nodes in " + datacenter);
        }
    }

    private void requireSettled(SimNode node) {
        world.ring().unsettled(node, KNOWN_MILLIS).ifPresent(c -> {
            throw violation(node, c);
        });
    }

    private static Violation violation(SimNode touched, Ring.Condition condition) {
        SimNode by = condition.by();
        SimNode about = condition.about();
        return by == null || about == null
                ? new Violation("one-schema", touched.name() + " is touched while schemas differ")
                : condition.kind() == Ring.Unsettled.PEER_UNSEEN
                        ? new Violation(
                                "seen-by-all",
                                touched.name() + " is touched while " + by.name() + " does not see " + about.name())
                        : new Violation(
                                "hints-delivered",
                                touched.name() + " is touched while " + by.name() + " keeps hints for " + about.name());
    }

    private void requireUp(SimNode node, String what, SimNode other) {
        boolean planned = other.daemon().outage() == SimDaemon.Outage.PLANNED;
        if (planned || isKnownDown(other)) {
            throw new Violation(
                    "budget",
                    node.name() + " " + what + " while " + other.name() + " is down"
                            + (planned ? " for a plan" : " and everybody knows"));
        }
    }

    private boolean isKnownDown(SimNode node) {
        SimDaemon daemon = node.daemon();
        return daemon.outage() != SimDaemon.Outage.NONE && world.nowMillis() - daemon.outageMillis() > KNOWN_MILLIS;
    }

    @Override
    public void returning(SimNode node) {
        if (node.replaced()) {
            throw new Violation("replaced-stays-dead", node.name() + " runs again though another took its place");
        }
    }

    @Override
    public void repairing(SimNode node) {
        world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node && n.repairs() && n.executor().isUp() && n.machineUp())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "one-repair", node.name() + " begins a repair while " + n.name() + " is at one");
                });
    }

    /** The pool itself refuses no server. */
    @Override
    public void commandsPool(DatacenterName datacenter, int server, String what) {
        if (!world.servers(datacenter).isLeader(server)) {
            throw new Violation(
                    "only-the-leader-asks", datacenter + "#" + server + " leads no more and asks to " + what);
        }
    }

    @Override
    public void reservedForOther(Allocation existing, Allocation wanted) {
        throw new Violation("one-allocation-one-node", wanted.id() + " is asked for by " + wanted.node());
    }

    @Override
    public void reserving(DatacenterName datacenter, Allocation wanted) {
        List<NodeRecord> records = world.records(datacenter, NodeRecord.class).stream()
                .filter(n -> n.allocation().id().equals(wanted.id()))
                .toList();
        records.stream().filter(n -> n.replaces() != null).forEach(this::requireOthersUp);
        records.stream().filter(NodeRecord::joined).forEach(n -> {
            throw new Violation("no-volume-lost", "an empty volume takes the place of that of " + n.id());
        });
        List<Allocation> sameMachine = world.nodes(datacenter).values().stream()
                .filter(n -> !n.isReleased())
                .map(SimNode::allocation)
                .filter(a -> a.machine().equals(wanted.machine()))
                .toList();
        requireDistinctPorts(sameMachine, wanted);
        requireMemory(datacenter, sameMachine, wanted);
    }

    private static void requireDistinctPorts(List<Allocation> sameMachine, Allocation wanted) {
        Set<Integer> ports = new HashSet<>(wanted.ports().all());
        sameMachine.forEach(
                a -> a.ports().all().stream().filter(p -> !ports.add(p)).forEach(p -> {
                    throw new Violation("distinct-ports", a.id() + " and " + wanted.id() + " both have port " + p);
                }));
    }

    private void requireMemory(DatacenterName datacenter, List<Allocation> sameMachine, Allocation wanted) {
        Machine machine = world.machines(datacenter).stream()
                .filter(m -> m.name().equals(wanted.machine()))
                .findFirst()
                .orElseThrow();
        long bytes = wanted.resources().memoryBytes()
                + sameMachine.stream()
                        .mapToLong(a -> a.resources().memoryBytes())
                        .sum();
        if (bytes > machine.memoryBytes()) {
            throw new Violation("capacity", machine.name() + " is given " + bytes + " bytes of memory");
        }
    }

    /** A replacement that streams while another member is down could read from the only replica left. */
    private void requireOthersUp(NodeRecord replacement) {
        world.members(replacement.id().cluster())
                .filter(n -> !n.id().equals(replacement.id()) && isKnownDown(n))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "replaced-beside-none-down", replacement.id() + " is replaced beside " + n.name());
                });
    }

    @Override
    public void droppingReplicas(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        boolean complete = world.keyspaces().datacentersOf(cluster, keyspace).stream()
                .filter(d -> !d.equals(datacenter))
                .anyMatch(
                        d -> world.keyspaces().missingRows(cluster, keyspace, d).isEmpty());
        if (!complete) {
            throw new Violation("last-copy-kept", "only " + datacenter + " has all rows of " + keyspace);
        }
    }

    @Override
    public void destroyingVolume(SimNode node) {
        if (!declarations.isDestroyRequested(node)) {
            throw new Violation("no-volume-lost", "nobody asked to destroy the volume of " + node.name());
        }
    }
}
