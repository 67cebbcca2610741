package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.PlanImpact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of an apply or a delete, or of its dry run.
 *
 * @param specVersion the version of the spec after the change
 * @param dryRun nothing was changed
 * @param changed false when the spec equals the stored one; there is no plan then
 * @param plans in a dry run the plans of all datacenters, otherwise the plan of the datacenter that was asked. The
 *     other datacenters draft their plans when the spec reaches them, see {@link ClusterStatus#plans}
 * @param unanswered datacenters that could not check their part
 * @param digest of the plans of a dry run; null otherwise
 * @param impact of the plans of a dry run; null otherwise
 * @param added lines that the server added to the text of the spec, because it says nothing about them
 */
public record ChangeAnswer(
        ClusterName cluster,
        long specVersion,
        boolean dryRun,
        boolean changed,
        List<Plan> plans,
        List<Unanswered> unanswered,
        @Nullable PlanDigest digest,
        @Nullable PlanImpact impact,
        List<String> added) {
    public ChangeAnswer {
        plans = List.copyOf(plans);
        unanswered = List.copyOf(unanswered);
        added = added == null ? List.of() : List.copyOf(added); // from a server of an earlier release
    }

    /** The same, of a spec to which these lines were added. */
    public ChangeAnswer adding(List<String> lines) {
        return new ChangeAnswer(cluster, specVersion, dryRun, changed, plans, unanswered, digest, impact, lines);
    }

    /** The answer to a change that was made. */
    public ChangeAnswer(
            ClusterName cluster,
            long specVersion,
            boolean dryRun,
            boolean changed,
            List<Plan> plans,
            List<Unanswered> unanswered) {
        this(cluster, specVersion, dryRun, changed, plans, unanswered, null, null, List.of());
    }
}
