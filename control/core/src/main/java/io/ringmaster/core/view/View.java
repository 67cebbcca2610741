package io.ringmaster.core.view;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * An immutable snapshot of everything a decision may rest on.
 *
 * @param seed the only source of chance
 * @param datacenter the datacenter that decides
 * @param serverUrls under which nodes reach this datacenter's servers
 * @param poolSeen whether the pool has told its whole picture since this server began to lead; before that, absence proves nothing
 * @param machines as the pool last told, cordons included
 * @param knownPeers datacenters that are configured or have introduced themselves
 */
public record View(
        Instant now,
        long seed,
        DatacenterName datacenter,
        List<String> serverUrls,
        boolean poolSeen,
        Map<MachineName, Machine> machines,
        Map<AllocationId, AllocationState> allocations,
        Map<ClusterName, ClusterRecord> clusters,
        Map<ClusterName, SortedMap<Long, SpecRecord>> specs,
        Map<NodeId, NodeRecord> nodes,
        Map<NodeId, Sighting<NodeStatus>> statuses,
        Map<DatacenterName, Sighting<DatacenterReport>> peers,
        Set<DatacenterName> knownPeers,
        Map<PlanId, Plan> plans) {

    /** The spec that the cluster should have. */
    public Optional<SpecRecord> targetSpec(ClusterName cluster) {
        return Optional.ofNullable(clusters.get(cluster)).flatMap(c -> spec(cluster, c.targetSpecVersion()));
    }

    public Optional<SpecRecord> spec(ClusterName cluster, long version) {
        return Optional.ofNullable(specs.get(cluster)).map(versions -> versions.get(version));
    }

    /** This datacenter's nodes of a cluster, by index. */
    public List<NodeRecord> nodesOf(ClusterName cluster) {
        return nodes.values().stream()
                .filter(n -> n.id().cluster().equals(cluster))
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
    }

    /** The last status of a node, if its executor answers now. */
    public Optional<NodeStatus> status(NodeId node) {
        return Optional.ofNullable(statuses.get(node)).flatMap(Sighting::current);
    }
}
