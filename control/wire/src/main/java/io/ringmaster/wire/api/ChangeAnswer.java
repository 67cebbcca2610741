package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import java.util.List;

/**
 * The result of an apply or a delete, or of its dry run.
 *
 * @param specVersion the version of the spec after the change
 * @param dryRun nothing was changed
 * @param changed false when the spec equals the stored one; there is no plan then
 * @param plans in a dry run the plans of all datacenters, otherwise the plan of the datacenter that was asked. The
 *     other datacenters draft their plans when the spec reaches them, see {@link ClusterStatus#plans}
 * @param unanswered datacenters that could not check their part
 */
public record ChangeAnswer(
        ClusterName cluster,
        long specVersion,
        boolean dryRun,
        boolean changed,
        List<Plan> plans,
        List<Unanswered> unanswered) {
    public ChangeAnswer {
        plans = List.copyOf(plans);
        unanswered = List.copyOf(unanswered);
    }
}
