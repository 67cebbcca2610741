package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import java.util.List;

/**
 * What came of an apply or a delete, or would come of it.
 *
 * @param specVersion the version that the spec has now, or would get
 * @param dryRun nothing was changed
 * @param changed false when the spec says what it said already; then there is no plan
 * @param plans of a dry run: the plans of all datacenters; else the plan of the datacenter that was asked. The others draft theirs
 *     when the spec reaches them, see {@link ClusterStatus#plans}
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
