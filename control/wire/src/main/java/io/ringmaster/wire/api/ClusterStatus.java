package io.ringmaster.wire.api;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster in all its datacenters, in the order of the spec, then those that leave it.
 *
 * @param created whether all nodes were NORMAL at the same time once
 * @param nodes the number of nodes in the spec
 * @param normal the number of nodes that are NORMAL
 * @param schemaVersions the nodes by schema version; one entry when all nodes agree
 * @param plans the unfinished plans and, in a datacenter without one, the last finished plan
 * @param contactPoints {@code address:port} for CQL, of nodes that are NORMAL; none before the cluster is created
 * @param findings problems and their next steps, the worst first
 * @param locks the holder of the operation lock and the requests that wait for it, in their order
 * @param repair the repair schedule, or null
 * @param backup the backup schedule and the last backup, or null if there is neither
 */
public record ClusterStatus(
        ClusterName cluster,
        Instant at,
        Condition condition,
        long specVersion,
        String cassandraVersion,
        boolean created,
        int nodes,
        int normal,
        Map<String, List<String>> schemaVersions,
        List<Part> datacenters,
        List<Plan> plans,
        List<String> contactPoints,
        List<Finding> findings,
        List<LockState> locks,
        @Nullable RepairState repair,
        @Nullable BackupState backup) {
    public ClusterStatus {
        schemaVersions = Ordered.copy(schemaVersions);
        datacenters = List.copyOf(datacenters);
        plans = List.copyOf(plans);
        contactPoints = List.copyOf(contactPoints);
        findings = List.copyOf(findings);
        locks = locks == null ? List.of() : List.copyOf(locks); // servers of older versions do not send it
    }

    /**
     * The cluster in one datacenter.
     *
     * @param nodesWanted the number of nodes in the spec; 0 for a datacenter that leaves
     * @param settledSpecVersion the newest spec version whose plan is complete there; 0 before the first
     * @param silence why this datacenter does not answer, or null; its nodes are shown as last reported then
     * @param nodes the nodes that have a record, by index
     */
    public record Part(
            DatacenterName datacenter,
            int nodesWanted,
            long settledSpecVersion,
            @Nullable String silence,
            @Nullable Instant lastHeard,
            List<NodeState> nodes) {
        public Part {
            nodes = List.copyOf(nodes);
        }

        /** Whether the spec no longer names it, and nodes of the cluster are still there. */
        public boolean leaves() {
            return nodesWanted == 0;
        }
    }
}
