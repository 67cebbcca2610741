package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import java.util.List;

/**
 * A cluster in one line of a list.
 *
 * @param nodes the number of nodes in the spec, in all datacenters
 * @param normal the number of nodes that were last reported NORMAL
 * @param plans the unfinished plans
 */
public record ClusterSummary(
        ClusterName cluster,
        Condition condition,
        long specVersion,
        String cassandraVersion,
        List<DatacenterName> datacenters,
        int nodes,
        int normal,
        List<PlanId> plans) {
    public ClusterSummary {
        datacenters = List.copyOf(datacenters);
        plans = List.copyOf(plans);
    }
}
