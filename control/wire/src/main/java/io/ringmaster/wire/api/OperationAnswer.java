package io.ringmaster.wire.api;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.PlanImpact;
import io.ringmaster.model.request.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request for an operation, or of its dry run.
 *
 * @param dryRun nothing was changed
 * @param plans in a dry run the plans of all datacenters, otherwise the plan of the datacenter that was asked, if it
 *     has one. The other datacenters draft their plans when the request reaches them, see {@link OperationState}
 * @param unanswered datacenters that could not check their part
 * @param digest of the plans of a dry run; null otherwise
 * @param impact of the plans of a dry run; null otherwise
 */
public record OperationAnswer(
        Request request,
        boolean dryRun,
        List<Plan> plans,
        List<Unanswered> unanswered,
        @Nullable PlanDigest digest,
        @Nullable PlanImpact impact) {
    public OperationAnswer {
        plans = List.copyOf(plans);
        unanswered = List.copyOf(unanswered);
    }

    /** The answer to a request that was accepted. */
    public OperationAnswer(Request request, boolean dryRun, List<Plan> plans, List<Unanswered> unanswered) {
        this(request, dryRun, plans, unanswered, null, null);
    }
}
