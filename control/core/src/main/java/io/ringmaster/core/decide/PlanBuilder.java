package io.ringmaster.core.decide;

import io.ringmaster.core.lint.PlanDraft;
import io.ringmaster.core.lint.PlanLint;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.PlanRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a plan from an operation: plans it, lints it, numbers it, and supersedes unfinished plans of the cluster. */
public final class PlanBuilder {
    /** In the message of a refusal: an exception prevented the plan, which is a bug. */
    public static final String UNPLANNABLE = " cannot be planned: ";

    private PlanBuilder() {}

    /**
     * @param before changes that the plan depends on and that are stored with it, such as its spec
     * @param who the user that requested it
     */
    static Answer<Decision<Plan>> draft(
            View view,
            List<Change> before,
            Operation operation,
            ClusterName cluster,
            Map<String, String> params,
            String who) {
        Planned planned = plan(view.with(before), operation, cluster, params);
        if (planned instanceof Planned.Draft draft) {
            return accept(view, before, operation, cluster, params, who, null, draft);
        }
        return planned instanceof Planned.Refused refused
                ? Answer.refused(refused.problems())
                : Answer.refused(Problem.of(ErrorCode.DATACENTER_UNKNOWN, ((Planned.NotConcerned) planned).reason()));
    }

    /** Plans the operation; an exception becomes a refusal. */
    static Planned plan(View view, Operation operation, ClusterName cluster, Map<String, String> params) {
        try {
            return operation.plan(view, cluster, params);
        } catch (RuntimeException e) {
            return new Planned.Refused(List.of(Problem.of(
                    ErrorCode.INTERNAL,
                    operation.name() + " of " + cluster + UNPLANNABLE + e,
                    "report this as a bug of Ringmaster")));
        }
    }

    /**
     * @param request the request that the plan is a part of; null for a plan that follows from the spec, which
     *     supersedes earlier ones
     */
    static Answer<Decision<Plan>> accept(
            View view,
            List<Change> before,
            Operation operation,
            ClusterName cluster,
            Map<String, String> params,
            String who,
            @Nullable RequestId request,
            Planned.Draft draft) {
        List<Change> changes = new ArrayList<>(before);
        changes.addAll(draft.changes());
        List<Problem> unsafe = PlanLint.problems(
                new PlanDraft(view, cluster, operation.name(), params, draft.specVersion(), changes, draft.phases()));
        if (!unsafe.isEmpty()) {
            return Answer.refused(unsafe);
        }
        Plan plan = new Plan(
                nextId(view),
                cluster,
                operation.name(),
                params,
                draft.specVersion(),
                who,
                request,
                view.now(),
                null,
                PlanStatus.RUNNING,
                draft.phases(),
                draft.notes(),
                null,
                null);
        view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .filter(p -> supersedes(plan, p))
                .forEach(p -> changes.add(new Change.Put(new PlanRecord(Plans.superseded(p, view.now())))));
        changes.add(new Change.Put(new PlanRecord(plan)));
        return Answer.accepted(new Decision<>(plan, changes));
    }

    /**
     * A spec supersedes the plan of the spec before it, a delete supersedes every plan; requests wait for each other.
     */
    private static boolean supersedes(Plan plan, Plan older) {
        return plan.operation().equals(Delete.NAME) || (plan.request() == null && older.request() == null);
    }

    /** A phase of one step. */
    static Phase phase(String name, Step step, String will) {
        return new Phase(name, Phase.Strategy.SERIAL, List.of(Steps.pending(step, will)));
    }

    private static PlanId nextId(View view) {
        long last =
                view.plans().keySet().stream().mapToLong(PlanId::number).max().orElse(0);
        return new PlanId(view.datacenter(), last + 1);
    }
}
