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
 * One screen about a cluster: its parts in all datacenters, in the order of the spec.
 *
 * @param created every node was once NORMAL together
 * @param nodes how many the spec asks for
 * @param normal how many are NORMAL
 * @param schemaVersions which nodes hold which version of the schema; one entry when all agree
 * @param plans those not over, and the last one of each datacenter that is
 * @param contactPoints {@code address:port} for CQL, of nodes that are NORMAL
 * @param findings what is wrong and what to do, the worst first
 * @param locks who holds the turn of the cluster and who waits behind, in the order in which they go
 * @param repair its schedule of repairs, or null
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
        @Nullable RepairState repair) {
    public ClusterStatus {
        schemaVersions = Ordered.copy(schemaVersions);
        datacenters = List.copyOf(datacenters);
        plans = List.copyOf(plans);
        contactPoints = List.copyOf(contactPoints);
        findings = List.copyOf(findings);
        locks = locks == null ? List.of() : List.copyOf(locks); // a server of an older version tells none
    }

    /**
     * The cluster in one datacenter.
     *
     * @param nodesWanted as the spec says
     * @param settledSpecVersion the newest version whose plan is complete there; 0 before any
     * @param silence why this datacenter does not answer, or null; its nodes are then as it last reported them
     * @param nodes those that are decided, by index
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
    }
}
