package io.ringmaster.core.decide;

import io.ringmaster.core.plan.PlanControl;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.PlanRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies a user's verb to a plan: answers with a refusal, or with the new plan and its changes. */
public record ControlPlan(View view, Plan plan, PlanVerb verb, @Nullable String step, String who) {

    public Answer<Decision<Plan>> answer() {
        PlanControl.Outcome outcome = PlanControl.apply(plan, verb, step, who, view.now());
        Plan controlled = outcome.plan();
        if (controlled == null) {
            return Answer.refused(
                    Optional.ofNullable(outcome.refusal()).stream().toList());
        }
        List<Change> changes = new ArrayList<>();
        for (Step forced : forcedSteps()) {
            Verdict verdict = forced.forced(view);
            if (verdict instanceof Verdict.Failed failed) {
                return Answer.refused(failed.problem());
            } else if (verdict instanceof Verdict.Done done) {
                changes.addAll(done.changes());
            }
        }
        changes.add(new Change.Put(new PlanRecord(controlled)));
        return Answer.accepted(new Decision<>(controlled, changes));
    }

    /** Without steps that a newer version stored and that cannot be read: nothing follows from forcing them. */
    private List<Step> forcedSteps() {
        return verb != PlanVerb.FORCE_COMPLETE
                ? List.of()
                : plan.phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> s.name().equals(step))
                        .flatMap(s -> Steps.readable(s).stream())
                        .toList();
    }
}
