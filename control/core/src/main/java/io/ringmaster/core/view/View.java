package io.ringmaster.core.view;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.TokenRecord;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * An immutable snapshot of everything that a decision may depend on. Its maps are persistent: after one change, a
 * snapshot of ten thousand nodes shares all other entries with the one before.
 *
 * @param seed the only source of randomness
 * @param datacenter the datacenter that decides
 * @param serverUrls the URLs at which other datacenters reach this datacenter's servers
 * @param seedUrls the URLs at which nodes ask for their seeds
 * @param poolSeen whether the pool has reported all machines and allocations since this server became leader; before
 *     that, absence proves nothing
 * @param poolProblem why the pool cannot be asked now, if it has said so; else null
 * @param poolWarnings what the pool cannot do for clusters that run
 * @param capabilities of the pool; those of a pool of machines before it has reported
 * @param machines as the pool last reported them, cordons included
 * @param knownPeers datacenters that are configured or have introduced themselves
 * @param apiTokens the API tokens that were created or revoked here
 * @param authorities the certificate authorities of this datacenter, by the path of their keys
 * @param allocationsGone those that the pool itself said are gone, with their volumes, since this server leads: that
 *     one is in no report of the pool does not prove it
 * @param authoritiesMade those whose key this server has reported since it leads
 */
@RecordBuilder
public record View(
        Instant now,
        long seed,
        DatacenterName datacenter,
        List<String> serverUrls,
        List<String> seedUrls,
        boolean poolSeen,
        @Nullable String poolProblem,
        Map<ClusterName, Problem> poolWarnings,
        PoolCapabilities capabilities,
        PSortedMap<MachineName, Machine> machines,
        PSortedMap<AllocationId, AllocationState> allocations,
        PSortedMap<ClusterName, ClusterRecord> clusters,
        PSortedMap<ClusterName, PSortedMap<Long, SpecRecord>> specs,
        PSortedMap<NodeId, NodeRecord> nodes,
        PSortedMap<NodeId, Observation<NodeStatus>> statuses,
        PSortedMap<DatacenterName, Observation<DatacenterReport>> peers,
        Set<DatacenterName> knownPeers,
        PSortedMap<PlanId, Plan> plans,
        PSortedMap<RequestId, RequestRecord> requests,
        PSortedMap<TokenId, TokenRecord> apiTokens,
        PSortedMap<String, AuthorityRecord> authorities,
        Map<AuthorityName, CertificatePem> authoritiesMade,
        Set<AllocationId> allocationsGone) {

    static final PSortedMap<Long, SpecRecord> NO_VERSIONS = TreePMap.empty();

    /** Copies the given maps into persistent maps. */
    public View(
            Instant now,
            long seed,
            DatacenterName datacenter,
            List<String> serverUrls,
            List<String> seedUrls,
            boolean poolSeen,
            PoolCapabilities capabilities,
            Map<MachineName, Machine> machines,
            Map<AllocationId, AllocationState> allocations,
            Map<ClusterName, ClusterRecord> clusters,
            Map<ClusterName, ? extends Map<Long, SpecRecord>> specs,
            Map<NodeId, NodeRecord> nodes,
            Map<NodeId, Observation<NodeStatus>> statuses,
            Map<DatacenterName, Observation<DatacenterReport>> peers,
            Set<DatacenterName> knownPeers,
            Map<PlanId, Plan> plans,
            Map<RequestId, RequestRecord> requests) {
        this(
                now,
                seed,
                datacenter,
                serverUrls,
                seedUrls,
                poolSeen,
                null,
                Map.of(),
                capabilities,
                TreePMap.from(machines),
                TreePMap.from(allocations),
                TreePMap.from(clusters),
                specs.entrySet().stream()
                        .collect(TreePMap.toTreePMap(Map.Entry::getKey, e -> TreePMap.from(e.getValue()))),
                TreePMap.from(nodes),
                TreePMap.from(statuses),
                TreePMap.from(peers),
                knownPeers,
                TreePMap.from(plans),
                TreePMap.from(requests),
                TreePMap.empty(),
                TreePMap.empty(),
                Map.of(),
                Set.of());
    }

    /** A view without facts or records. */
    public static View empty(
            Instant now, long seed, DatacenterName datacenter, List<String> serverUrls, List<String> seedUrls) {
        return ViewBuilder.builder()
                .now(now)
                .seed(seed)
                .datacenter(datacenter)
                .serverUrls(serverUrls)
                .seedUrls(seedUrls)
                .poolWarnings(Map.of())
                .capabilities(PoolCapabilities.OF_MACHINES)
                .machines(TreePMap.empty())
                .allocations(TreePMap.empty())
                .clusters(TreePMap.empty())
                .specs(TreePMap.empty())
                .nodes(TreePMap.empty())
                .statuses(TreePMap.empty())
                .peers(TreePMap.empty())
                .knownPeers(Set.of())
                .plans(TreePMap.empty())
                .requests(TreePMap.empty())
                .apiTokens(TreePMap.empty())
                .authorities(TreePMap.empty())
                .authoritiesMade(Map.of())
                .allocationsGone(Set.of())
                .build();
    }

    /** For people: that the pool has not reported, and why if it is known. */
    public String poolUnseen() {
        return "the pool of " + datacenter + " has not reported its machines yet"
                + (poolProblem == null ? "" : ": " + poolProblem);
    }

    /** The target spec of the cluster. */
    public Optional<SpecRecord> targetSpec(ClusterName cluster) {
        return Optional.ofNullable(clusters.get(cluster)).flatMap(c -> spec(cluster, c.targetSpecVersion()));
    }

    /** The present incarnation of the cluster; null where no spec is known, and in specs of older servers. */
    public @Nullable String incarnation(ClusterName cluster) {
        return targetSpec(cluster).map(SpecRecord::incarnation).orElse(null);
    }

    public Optional<SpecRecord> spec(ClusterName cluster, long version) {
        return Optional.ofNullable(versions(cluster).get(version));
    }

    /** Every version of the cluster's spec that is kept. */
    public PSortedMap<Long, SpecRecord> versions(ClusterName cluster) {
        return specs.getOrDefault(cluster, NO_VERSIONS);
    }

    /** This datacenter's nodes of a cluster, by index. */
    public List<NodeRecord> nodesOf(ClusterName cluster) {
        NodeId first = new NodeId(cluster, datacenter, 0);
        NodeId last = new NodeId(cluster, datacenter, Integer.MAX_VALUE);
        return List.copyOf(nodes.subMap(first, true, last, true).values());
    }

    /** The allocations of a cluster here, including those that no record names; found by the prefix of their ids. */
    public List<AllocationState> allocationsOf(ClusterName cluster) {
        AllocationId first = new AllocationId(cluster + "-");
        AllocationId after = new AllocationId(cluster + "0"); // the least allowed character above '-'
        return allocations.subMap(first, true, after, false).values().stream()
                .filter(a -> a.allocation().node().cluster().equals(cluster))
                .toList();
    }

    /** The last status of a node, if its executor answers now. */
    public Optional<NodeStatus> status(NodeId node) {
        return Optional.ofNullable(statuses.get(node)).flatMap(Observation::current);
    }

    /**
     * Whether the cluster is declared or still has something here. Kept volumes of a deleted cluster do not count,
     * unless they are to be destroyed.
     */
    public boolean exists(ClusterName cluster) {
        ClusterRecord record = clusters.get(cluster);
        return record != null
                && (!record.deleting()
                        || record.mustDestroyVolumes(incarnation(cluster))
                        || !nodesOf(cluster).isEmpty());
    }

    /** The newest spec version whose deploy is complete here; 0 before any. */
    public long settledSpecVersion(ClusterName cluster) {
        return plans.values().stream()
                .filter(p -> p.cluster().equals(cluster) && p.operation().equals(Plan.DEPLOY))
                .filter(p -> p.status() == PlanStatus.COMPLETE)
                .mapToLong(Plan::specVersion)
                .max()
                .orElse(0);
    }

    /** A peer's part of a cluster by its last report, also while the peer does not answer. */
    public Optional<ClusterPart> lastPart(DatacenterName peer, ClusterName cluster) {
        return Optional.ofNullable(peers.get(peer)).map(Observation::last).flatMap(r -> r.clusters().stream()
                .filter(c -> c.cluster().equals(cluster))
                .findFirst());
    }

    /** Why nothing can be concluded about a peer datacenter now; empty while it answers. */
    public Optional<String> silence(DatacenterName peer) {
        Observation<DatacenterReport> observation = peers.get(peer);
        if (observation == null) {
            return Optional.of(
                    knownPeers.contains(peer)
                            ? peer + " has not answered yet"
                            : "no server of " + peer + " is known here");
        }
        return observation.silence() == null
                ? Optional.empty()
                : Optional.of(peer + " is silent: " + observation.silence());
    }

    /** Whether a peer datacenter reported, or this server began to lead, less than this long ago. */
    public boolean reportedWithin(DatacenterName peer, Duration time) {
        Observation<DatacenterReport> observation = peers.get(peer);
        // the absolute difference: a clock that was set back must not prolong it
        return observation != null
                && Duration.between(observation.at(), now).abs().compareTo(time) < 0;
    }

    /** This view with the changes applied. */
    public View with(List<Change> changes) {
        return changes.isEmpty() ? this : new RecordEdit(this).apply(changes);
    }

    /** This view with other peer reports. */
    public View withPeers(Map<DatacenterName, Observation<DatacenterReport>> reports) {
        return ViewBuilder.builder(this).peers(TreePMap.from(reports)).build();
    }
}
