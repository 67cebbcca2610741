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

/** From an operation to a plan that may be stored: asked, linted, numbered, taking over from the plans of the cluster that are not over. */
public final class PlanBuilder {
    private PlanBuilder() {}

    /** @param changes everything to be stored, the plan included */
    public record Proposal(Plan plan, List<Change> changes) {}

    /**
     * @param before what is to be stored together with the plan and what it rests on, such as its spec
     * @param who asked
     */
    static Answer<Proposal> draft(
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

    /** What the operation answers; one that fails is refused with that. */
    static Planned plan(View view, Operation operation, ClusterName cluster, Map<String, String> params) {
        try {
            return operation.plan(view, cluster, params);
        } catch (RuntimeException e) {
            return new Planned.Refused(List.of(Problem.of(
                    ErrorCode.INTERNAL,
                    operation.name() + " of " + cluster + " cannot be planned: " + e,
                    "report this")));
        }
    }

    /** @param request what the plan is a part of; null for one that follows from the declaration, which takes over from those before it */
    static Answer<Proposal> accept(
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
                .filter(p -> takesOver(plan, p))
                .forEach(p -> changes.add(new Change.Put(new PlanRecord(Plans.superseded(p, view.now())))));
        changes.add(new Change.Put(new PlanRecord(plan)));
        return Answer.accepted(new Proposal(plan, List.copyOf(changes)));
    }

    /** A declaration takes over from the one before it, a delete from everything; requests wait for each other. */
    private static boolean takesOver(Plan plan, Plan older) {
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
