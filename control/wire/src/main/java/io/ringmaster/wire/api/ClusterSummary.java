package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in one line of a list.
 *
 * @param nodes the number of nodes in the spec, in all datacenters
 * @param normal the number of nodes that were last reported NORMAL
 * @param plans the unfinished plans
 * @param errors the number of findings that are errors; 0 from servers of older versions
 * @param warnings the number of other findings
 * @param worst the first of the findings, or null when there is none
 */
public record ClusterSummary(
        ClusterName cluster,
        Condition condition,
        long specVersion,
        String cassandraVersion,
        List<DatacenterName> datacenters,
        int nodes,
        int normal,
        List<PlanId> plans,
        int errors,
        int warnings,
        @Nullable Finding worst) {
    public ClusterSummary {
        datacenters = List.copyOf(datacenters);
        plans = List.copyOf(plans);
    }

    /** A summary without findings. */
    public ClusterSummary(
            ClusterName cluster,
            Condition condition,
            long specVersion,
            String cassandraVersion,
            List<DatacenterName> datacenters,
            int nodes,
            int normal,
            List<PlanId> plans) {
        this(cluster, condition, specVersion, cassandraVersion, datacenters, nodes, normal, plans, 0, 0, null);
    }

    /** With the findings of another datacenter too, where those are more. What both see counts once. */
    public ClusterSummary withFindingsOf(ClusterSummary there) {
        return new ClusterSummary(
                cluster,
                condition,
                specVersion,
                cassandraVersion,
                datacenters,
                nodes,
                normal,
                plans,
                Math.max(errors, there.errors),
                Math.max(warnings, there.warnings),
                worst == null || (errors == 0 && there.errors > 0) ? there.worst : worst);
    }
}
