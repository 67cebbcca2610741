package io.ringmaster.core.view;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

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

    /** Whether the cluster is declared or still has something here; what is left of a deleted one is not. */
    public boolean exists(ClusterName cluster) {
        ClusterRecord record = clusters.get(cluster);
        return record != null && (!record.deleting() || !nodesOf(cluster).isEmpty());
    }

    /** The newest spec version whose deploy is complete here; 0 before any. */
    public long settledSpecVersion(ClusterName cluster) {
        return plans.values().stream()
                .filter(p -> p.cluster().equals(cluster) && p.operation().equals("deploy"))
                .filter(p -> p.status() == PlanStatus.COMPLETE)
                .mapToLong(Plan::specVersion)
                .max()
                .orElse(0);
    }

    /** A peer's part of a cluster as it was last told, also while the peer is silent. */
    public Optional<ClusterPart> lastPart(DatacenterName peer, ClusterName cluster) {
        return Optional.ofNullable(peers.get(peer)).map(Sighting::last).flatMap(r -> r.clusters().stream()
                .filter(c -> c.cluster().equals(cluster))
                .findFirst());
    }

    /** This view once the changes are made. */
    public View with(List<Change> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        var c = new TreeMap<>(clusters);
        var s = new TreeMap<>(specs);
        var n = new TreeMap<>(nodes);
        var p = new TreeMap<>(plans);
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                put(put.record(), c, s, n, p);
            } else {
                remove(change.key(), c, s, n, p);
            }
        }
        return new View(
                now,
                seed,
                datacenter,
                serverUrls,
                poolSeen,
                machines,
                allocations,
                c,
                s,
                n,
                statuses,
                peers,
                knownPeers,
                p);
    }

    private static void put(
            StoredRecord record,
            Map<ClusterName, ClusterRecord> clusters,
            Map<ClusterName, SortedMap<Long, SpecRecord>> specs,
            Map<NodeId, NodeRecord> nodes,
            Map<PlanId, Plan> plans) {
        if (record instanceof ClusterRecord cluster) {
            clusters.put(cluster.name(), cluster);
        } else if (record instanceof SpecRecord spec) {
            SortedMap<Long, SpecRecord> versions = new TreeMap<>(specs.getOrDefault(spec.cluster(), new TreeMap<>()));
            versions.put(spec.version(), spec);
            specs.put(spec.cluster(), versions);
        } else if (record instanceof NodeRecord node) {
            nodes.put(node.id(), node);
        } else if (record instanceof PlanRecord plan) {
            plans.put(plan.plan().id(), plan.plan());
        }
    }

    private static void remove(
            String key,
            Map<ClusterName, ClusterRecord> clusters,
            Map<ClusterName, SortedMap<Long, SpecRecord>> specs,
            Map<NodeId, NodeRecord> nodes,
            Map<PlanId, Plan> plans) {
        clusters.values().removeIf(r -> r.key().equals(key));
        nodes.values().removeIf(r -> r.key().equals(key));
        plans.keySet().removeIf(id -> PlanRecord.key(id).equals(key));
        specs.replaceAll((name, versions) -> {
            SortedMap<Long, SpecRecord> kept = new TreeMap<>(versions);
            kept.values().removeIf(r -> r.key().equals(key));
            return kept;
        });
        specs.values().removeIf(Map::isEmpty);
    }
}
