package io.ringmaster.simulator.invariant;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.world.Declarations;
import io.ringmaster.simulator.world.Ring;
import io.ringmaster.simulator.world.SimDaemon;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import io.ringmaster.simulator.world.WorldListener;
import java.util.List;

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
            requireTrusted(node);
            requireNotIgnored(node);
            if (target.firstCreation()) {
                throw new Violation(
                        "first-creation-once", node.name() + " joins without bootstrap a cluster that may hold data");
            }
            if (answer.isSeed()) {
                throw new Violation(
                        "joining-never-seed",
                        node.name() + " receives the answer that it is a seed of a cluster that may hold data");
            }
        }
    }

    /** A node that members ignore misses writes of those that do not know it. */
    private void requireNotIgnored(SimNode node) {
        if (world.formerEndpoints().isIgnored(node)) {
            throw new Violation(
                    "quarantine-over", node.name() + " joins at an endpoint at which the other nodes ignore it");
        }
    }

    /** Others would not send it what they write to it. */
    private void requireTrusted(SimNode node) {
        world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node && n.mode() == OperatingMode.NORMAL && declarations.isOfExisting(n))
                .filter(n -> !n.identity().accepts(node) || !node.identity().accepts(n))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "trusted-before-start",
                            node.name() + " starts to serve, and it or " + n.name()
                                    + " does not accept the certificate of the other");
                });
    }

    @Override
    public void changesTls(SimNode node) {
        if (node.joined() && declarations.mayHoldData(node.cluster())) {
            throw new Violation("tls-stays", node.name() + " is to change its TLS between nodes beside others");
        }
    }

    @Override
    public void opened(SimNode node) {
        new ClientInvariants(world).check(node.cluster());
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
                throw new Violation(
                        "disruption-budget", node.name() + " is taken down while " + other.name() + " leaves");
            }
        });
    }

    @Override
    public void leaving(SimNode node) {
        requireSettled(node);
        List<SimNode> others = world.membersBeside(node);
        others.forEach(other -> requireUp(node, "starts to leave", other));
        world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node && (n.mode() == OperatingMode.LEAVING || n.mode() == OperatingMode.JOINING))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "one-ring-change", node.name() + " starts to leave while " + n.name() + " is " + n.mode());
                });
        DatacenterName datacenter = node.datacenter();
        long remaining =
                others.stream().filter(n -> n.datacenter().equals(datacenter)).count();
        if (declarations.hasServedFor(KNOWN_MILLIS, node.cluster())
                && remaining < world.keyspaces().maxReplicas(node.cluster(), datacenter)) {
            throw new Violation(
                    "replicas-kept", node.name() + " would leave only " + remaining + " nodes in " + datacenter);
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
                ? new Violation("schema-agreement", touched.name() + " is touched while schema versions differ")
                : condition.kind() == Ring.Unsettled.PEER_UNSEEN
                        ? new Violation(
                                "peers-seen-alive",
                                touched.name() + " is touched while " + by.name() + " does not see " + about.name())
                        : new Violation(
                                "hints-delivered",
                                touched.name() + " is touched while " + by.name() + " keeps hints for " + about.name());
    }

    private void requireUp(SimNode node, String what, SimNode other) {
        boolean planned = other.daemon().outage() == SimDaemon.Outage.PLANNED;
        if (planned || isKnownDown(other)) {
            throw new Violation(
                    "disruption-budget",
                    node.name() + " " + what + " while " + other.name() + " is down"
                            + (planned ? " for a plan" : " for longer than every controller needs to know"));
        }
    }

    private boolean isKnownDown(SimNode node) {
        return isKnownDown(world, node);
    }

    /** Whether the node has been down for longer than every controller needs to know. */
    static boolean isKnownDown(World world, SimNode node) {
        return isDownFor(KNOWN_MILLIS, world, node);
    }

    static boolean isDownFor(long millis, World world, SimNode node) {
        SimDaemon daemon = node.daemon();
        return daemon.outage() != SimDaemon.Outage.NONE && world.nowMillis() - daemon.outageMillis() > millis;
    }

    @Override
    public void returning(SimNode node) {
        if (node.replaced()) {
            throw new Violation("replaced-stays-dead", node.name() + " runs again although another node replaced it");
        }
        requireTrusted(node);
    }

    @Override
    public void repairing(SimNode node) {
        world.nodesOf(node.cluster()).stream()
                // the repair of moved ranges is no request, which would wait for its turn among the datacenters
                .filter(n -> n.datacenter().equals(node.datacenter())
                        || !(n.repairsMovedRanges() || n.endsRepair() || node.repairsMovedRanges()))
                .filter(n -> n != node && n.repairs() && n.executor().isUp() && n.machineUp())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation("one-repair", node.name() + " starts a repair while " + n.name() + " repairs");
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
}
