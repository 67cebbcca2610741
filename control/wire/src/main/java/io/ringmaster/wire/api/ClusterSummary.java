package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import java.util.List;

/**
 * One line about a cluster.
 *
 * @param nodes how many the spec asks for, in all datacenters
 * @param normal how many are known to be NORMAL
 * @param plans those not over yet
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
