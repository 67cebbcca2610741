package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.PlanRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a client starts to write to a new cluster: once its deployment is reported as complete and all its nodes have
 * served for a while. An early client does not wait for the report.
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

    /** Asks what a user sees: nodes, keyspaces and the outcome of the deployment. */
    private boolean isComplete(ClusterName cluster, boolean early) {
        List<SimNode> nodes =
                world.nodesOf(cluster).stream().filter(n -> !n.isReleased()).toList();
        return !nodes.isEmpty()
                && nodes.stream().allMatch(n -> n.mode() == OperatingMode.NORMAL)
                && world.keyspaces().of(cluster).values().stream()
                        .flatMap(r -> r.entrySet().stream())
                        .allMatch(r -> count(nodes, r.getKey()) >= r.getValue())
                && (early || isDeployed(cluster, nodes));
    }

    private static long count(List<SimNode> nodes, DatacenterName datacenter) {
        return nodes.stream().filter(n -> n.datacenter().equals(datacenter)).count();
    }

    /** A deployment ended well in a datacenter, after which no node may join without bootstrap. */
    private boolean isDeployed(ClusterName cluster, List<SimNode> nodes) {
        Instant declared = world.declarations().lastDeclared(cluster);
        return nodes.stream()
                .map(SimNode::datacenter)
                .distinct()
                .anyMatch(d -> world.records(d, PlanRecord.class).stream()
                        .map(PlanRecord::plan)
                        .anyMatch(p -> p.cluster().equals(cluster)
                                && p.operation().equals(Plan.DEPLOY)
                                && p.status() == PlanStatus.COMPLETE
                                && !p.createdAt().isBefore(declared)));
    }
}
