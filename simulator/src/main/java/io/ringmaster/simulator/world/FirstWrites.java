package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.SpecRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When a client starts to write to a new cluster: once all its nodes, as many as its user declared, have served for a
 * while. An early client takes the nodes that exist for all nodes.
 */
final class FirstWrites {
    private static final int SETTLED_MILLIS = 10_000;

    private final World world;
    private final Map<ClusterName, Long> completeSinceMillis = new TreeMap<>();

    FirstWrites(World world) {
        this.world = world;
    }

    void forget(ClusterName cluster) {
        completeSinceMillis.remove(cluster);
    }

    boolean mayStart(ClusterName cluster, boolean early) {
        if (!isComplete(cluster, early)) {
            forget(cluster);
            return false;
        }
        long since = completeSinceMillis.computeIfAbsent(cluster, c -> world.nowMillis());
        return world.nowMillis() - since >= SETTLED_MILLIS;
    }

    /** Asks what a user sees, nodes and keyspaces and the declaration, and nothing that a server concluded. */
    private boolean isComplete(ClusterName cluster, boolean early) {
        List<SimNode> nodes = world.nodesOf(cluster).stream()
                .filter(n -> !n.isReleased())
                .toList();
        return !nodes.isEmpty()
                && nodes.stream().allMatch(n -> n.mode() == OperatingMode.NORMAL)
                && world.keyspaces().of(cluster).values().stream()
                        .flatMap(r -> r.entrySet().stream())
                        .allMatch(r -> count(nodes, r.getKey()) >= r.getValue())
                && (early || isAsDeclared(cluster, nodes));
    }

    private boolean isAsDeclared(ClusterName cluster, List<SimNode> nodes) {
        Optional<SpecRecord> declared = World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, SpecRecord.class).stream())
                .filter(s -> s.cluster().equals(cluster))
                .max(Comparator.comparingLong(SpecRecord::version));
        return declared.isPresent()
                && declared.get().spec().datacenters().stream().allMatch(d -> count(nodes, d.name()) >= d.nodes());
    }

    private static long count(List<SimNode> nodes, DatacenterName datacenter) {
        return nodes.stream().filter(n -> n.datacenter().equals(datacenter)).count();
    }
}
