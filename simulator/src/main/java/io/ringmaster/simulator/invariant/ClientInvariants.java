package io.ringmaster.simulator.invariant;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;

/** Which nodes accept clients: none while another one joins without bootstrap, every one in the end. */
public final class ClientInvariants {
    private final World world;

    public ClientInvariants(World world) {
        this.world = world;
    }

    /**
     * @throws Violation if a client could write a row that a node which joins now would lack, or connect before the
     *     cluster has all rows of its backup
     */
    public void check(ClusterName cluster) {
        List<SimNode> nodes = world.nodesOf(cluster).stream()
                .filter(n -> !n.isReleased() && world.declarations().isOfExisting(n))
                .toList();
        nodes.stream().filter(n -> n.executor().isOpen()).findFirst().ifPresent(this::requireRestored);
        for (SimNode joining : nodes) {
            if (joining.executor().runsWithoutBootstrap()) {
                nodes.stream().filter(n -> n.executor().isOpen()).findFirst().ifPresent(open -> {
                    throw new Violation(
                            "closed-until-created",
                            open.name() + " accepts clients while " + joining.name() + " joins without bootstrap");
                });
            }
        }
    }

    private void requireRestored(SimNode open) {
        world.restores().lackedWhenOpened(open).ifPresent(source -> {
            throw new Violation(
                    "restored-before-clients",
                    open.name() + " accepts clients while no node has the rows of " + source + " of the backup");
        });
    }

    /** The first node that serves a created cluster and accepts no clients, although its spec does not close it. */
    public Optional<String> closed(List<ClusterName> clusters) {
        return clusters.stream()
                .filter(this::isCreated)
                .flatMap(c -> world.nodesOf(c).stream())
                .filter(n -> n.mode() == OperatingMode.NORMAL && !n.executor().isOpen() && isWanted(n))
                .findFirst()
                .map(n -> n.name() + " accepts no clients although its cluster is created");
    }

    private boolean isCreated(ClusterName cluster) {
        return World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, ClusterRecord.class).stream())
                .anyMatch(r -> r.name().equals(cluster) && r.created() && !r.deleting());
    }

    /** By the spec that the node runs. */
    private boolean isWanted(SimNode node) {
        long version = node.status().appliedSpecVersion();
        return world.records(node.datacenter(), SpecRecord.class).stream()
                .filter(s -> s.cluster().equals(node.cluster()) && s.version() == version)
                .allMatch(s -> s.spec().opensCql());
    }
}
