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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one cluster stands, as this datacenter knows it. Of nodes elsewhere only what their server reports is known.
 *
 * @param specVersion the version it should have
 * @param whole every node of the spec, in all datacenters, is NORMAL, and all seen agree on one schema
 * @param schemaVersions the schema versions that are seen; one when they agree
 * @param findings what is wrong, the gravest first, each with what to do
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
     * @param settledSpecVersion the newest version that it has brought about completely
     * @param silence why nothing is heard from its server now, or null
     * @param silentSince when that began, or null
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
     * @param storageEndpoint {@code address:storage_port}
     * @param contactPoint {@code address:native_port}, or null when it runs elsewhere, or its datacenter has not got its data yet
     * @param machine where it is, or null when it runs elsewhere, or its datacenter has not got its data yet
     * @param since when mode or activity last changed, or null when nothing was heard
     * @param specVersion of its configuration now, 0 when unknown
     */
    public record NodeLine(
            NodeId node,
            @Nullable RackName rack,
            @Nullable MachineName machine,
            String storageEndpoint,
            @Nullable String contactPoint,
            boolean seed,
            OperatingMode mode,
            String activity,
            @Nullable Instant since,
            Map<Stage, Instant> stages,
            @Nullable Long loadBytes,
            @Nullable Double ownership,
            @Nullable String releaseVersion,
            @Nullable String schemaVersion,
            long specVersion,
            @Nullable Problem problem) {
        public NodeLine {
            stages = Ordered.copy(stages);
        }
    }

    /** @param subject the node or datacenter it is about, or the cluster */
    public record Finding(String subject, Problem problem, @Nullable Instant since) {}
}
