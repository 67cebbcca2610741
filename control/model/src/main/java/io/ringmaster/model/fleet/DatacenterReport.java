package io.ringmaster.model.fleet;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one datacenter's server tells the others of itself.
 *
 * @param servers base URLs under which this datacenter answers
 */
public record DatacenterReport(
        DatacenterName datacenter, List<String> servers, int machines, Instant at, List<ClusterPart> clusters) {

    public DatacenterReport {
        servers = List.copyOf(servers);
        clusters = List.copyOf(clusters);
    }

    /**
     * One cluster's part here.
     *
     * @param spec the newest spec known here, so that a change made at one server reaches all
     * @param deleting a delete of the whole cluster was asked for
     * @param destroyData see {@code ClusterRecord.destroyData}
     * @param created see {@code ClusterRecord.created}
     * @param settledSpecVersion the newest version whose plan is complete here; its turn passes on then
     * @param requests those that are not over everywhere, and the last that are
     * @param repaired when the range of a node there was repaired that was longest ago, EPOCH when one never was; null when no node there tells
     *     of ranges of its own
     * @param unplanned why the newest spec cannot be planned there now, or null
     */
    public record ClusterPart(
            ClusterName cluster,
            SpecRecord spec,
            boolean created,
            boolean deleting,
            boolean destroyData,
            long settledSpecVersion,
            @Nullable String unplanned,
            List<NodePart> nodes,
            List<RequestRecord> requests,
            @Nullable Instant repaired) {
        public ClusterPart {
            nodes = List.copyOf(nodes);
            // a server of an older version knows of none
            requests = requests == null ? List.of() : List.copyOf(requests);
        }

        /** Without anything about repairs. */
        public ClusterPart(
                ClusterName cluster,
                SpecRecord spec,
                boolean created,
                boolean deleting,
                boolean destroyData,
                long settledSpecVersion,
                @Nullable String unplanned,
                List<NodePart> nodes,
                List<RequestRecord> requests) {
            this(cluster, spec, created, deleting, destroyData, settledSpecVersion, unplanned, nodes, requests, null);
        }

        /** What is told of a request; empty if it is not known there, or long over. */
        public Optional<RequestRecord> request(RequestId id) {
            return requests.stream().filter(r -> r.request().id().equals(id)).findFirst();
        }
    }

    /**
     * One node there.
     *
     * @param storageEndpoint {@code address:storage_port}, as gossip names it
     * @param seed designated a seed
     * @param joined was NORMAL once
     * @param loadBytes what it holds on its disk; null while it does not tell
     */
    public record NodePart(
            NodeId node,
            String storageEndpoint,
            boolean seed,
            boolean joined,
            OperatingMode mode,
            String activity,
            @Nullable Long loadBytes) {
        /** Of one that does not tell what it holds. */
        public NodePart(
                NodeId node,
                String storageEndpoint,
                boolean seed,
                boolean joined,
                OperatingMode mode,
                String activity) {
            this(node, storageEndpoint, seed, joined, mode, activity, null);
        }
    }
}
