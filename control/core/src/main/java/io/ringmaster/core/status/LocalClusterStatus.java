package io.ringmaster.core.status;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The status of one cluster, as this datacenter knows it. Nodes elsewhere are known only by their server's reports.
 *
 * @param specVersion the target version
 * @param whole every node of the spec, in all datacenters, is NORMAL, and all reported schema versions agree
 * @param schemaVersions the reported schema versions; one when they agree
 * @param findings the problems, most severe first, each with the next step
 */
public record LocalClusterStatus(
        ClusterName cluster,
        long specVersion,
        boolean created,
        boolean deleting,
        boolean whole,
        List<String> schemaVersions,
        List<DatacenterLine> datacenters,
        List<Finding> findings) {

    public LocalClusterStatus {
        schemaVersions = List.copyOf(schemaVersions);
        datacenters = List.copyOf(datacenters);
        findings = List.copyOf(findings);
    }

    /**
     * @param nodesDeclared the number of nodes in the spec; 0 for a datacenter that leaves
     * @param settledSpecVersion the newest version whose deploy is complete there
     * @param silence why its server does not answer now, or null
     * @param silentSince since when it does not answer, or null
     */
    public record DatacenterLine(
            DatacenterName name,
            boolean local,
            int nodesDeclared,
            long settledSpecVersion,
            @Nullable String silence,
            @Nullable Instant silentSince,
            List<NodeLine> nodes) {
        public DatacenterLine {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * @param hostId by which the ring knows the node; null before it was NORMAL
     * @param storageEndpoint {@code address:storage_port}; null while the address is not known
     * @param contactPoint {@code address:native_port}, or null when the node runs elsewhere, or its datacenter lacks
     *     its data
     * @param machine the machine, or null when the node runs elsewhere
     * @param since when mode or activity last changed, or null when the node never reported
     * @param ownership the share of all rows of each user keyspace that the node holds, 0 to 1; empty when it is not a
     *     member of the ring or runs elsewhere
     * @param specVersion the version of its present configuration, 0 when unknown
     */
    public record NodeLine(
            NodeId node,
            @Nullable RackName rack,
            @Nullable MachineName machine,
            @Nullable String hostId,
            @Nullable String storageEndpoint,
            @Nullable String contactPoint,
            boolean seed,
            OperatingMode mode,
            String activity,
            @Nullable Instant since,
            Map<Stage, Instant> stages,
            @Nullable Long loadBytes,
            SortedMap<String, Double> ownership,
            @Nullable String releaseVersion,
            @Nullable String schemaVersion,
            long specVersion,
            @Nullable Problem problem) {
        public NodeLine {
            stages = Ordered.copy(stages);
            ownership = Collections.unmodifiableSortedMap(new TreeMap<>(ownership));
        }
    }

    /** @param subject the node or datacenter with the problem, or the cluster */
    public record Finding(String subject, Problem problem, @Nullable Instant since) {}
}
