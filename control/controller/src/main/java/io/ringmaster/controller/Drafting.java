package io.ringmaster.controller;

import io.ringmaster.core.lint.Drafted;
import io.ringmaster.core.lint.PlanLint;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.PlanRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From an operation to a plan that may be stored: asked, linted, numbered, taking over from the plans of the cluster that are not over. */
final class Drafting {
    private Drafting() {}

    /** @param changes everything to be stored, the plan included */
    record Proposal(Plan plan, List<Change> changes) {}

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
        Planned planned;
        try {
            planned = operation.plan(view.with(before), cluster, params);
        } catch (RuntimeException e) {
            return Answer.refused(Problem.of(
                    ErrorCode.INTERNAL,
                    operation.name() + " of " + cluster + " cannot be planned: " + e,
                    "report this"));
        }
        if (planned instanceof Planned.Refused refused) {
            return Answer.refused(refused.problems());
        }
        Planned.Draft draft = (Planned.Draft) planned;
        List<Change> changes = new ArrayList<>(before);
        changes.addAll(draft.changes());
        List<Problem> unsafe = PlanLint.problems(
                new Drafted(view, cluster, operation.name(), params, draft.specVersion(), changes, draft.phases()));
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
                view.now(),
                null,
                PlanStatus.RUNNING,
                draft.phases(),
                draft.notes(),
                null);
        view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .forEach(p -> changes.add(new Change.Put(new PlanRecord(Plans.superseded(p, view.now())))));
        changes.add(new Change.Put(new PlanRecord(plan)));
        return Answer.accepted(new Proposal(plan, List.copyOf(changes)));
    }

    private static PlanId nextId(View view) {
        long last =
                view.plans().keySet().stream().mapToLong(PlanId::number).max().orElse(0);
        return new PlanId(view.datacenter(), last + 1);
    }
}
