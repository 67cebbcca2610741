package io.ringmaster.wire.api;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.request.Request;
import java.util.List;

/**
 * What came of asking for an operation, or would come of it.
 *
 * @param dryRun nothing was changed
 * @param plans of a dry run: the plans of all datacenters; else the plan of the datacenter that was asked, if it is concerned. The others
 *     draft theirs when the request reaches them, see {@link OperationState}
 * @param unanswered datacenters that could not check their part
 */
public record OperationAnswer(Request request, boolean dryRun, List<Plan> plans, List<Unanswered> unanswered) {
    public OperationAnswer {
        plans = List.copyOf(plans);
        unanswered = List.copyOf(unanswered);
    }
}
