package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides on an operation that follows from a spec: a refusal or a plan. Changes nothing itself. */
public record StartPlan(View view, String operation, ClusterName cluster, Map<String, String> params, String who) {

    public Answer<Decision<Plan>> answer() {
        Optional<Operation> found =
                Operations.named(operation).filter(o -> o.lockScope().isEmpty());
        if (found.isEmpty()) {
            return Answer.refused(Problem.field(
                    ErrorCode.SPEC_INVALID,
                    "operation",
                    "'" + operation + "' is not an operation, allowed: "
                            + Operations.all().stream()
                                    .filter(o -> o.lockScope().isEmpty())
                                    .map(Operation::name)
                                    .toList()));
        }
        List<Problem> wrong = ParameterCheck.problems(found.get(), params);
        if (!wrong.isEmpty()) {
            return Answer.refused(wrong);
        }
        Optional<Plan> busy = view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && p.operation().equals(operation))
                .filter(p -> p.status() == PlanStatus.RUNNING || p.status() == PlanStatus.PAUSED)
                .findFirst();
        if (busy.isPresent() && busy.get().params().equals(params)) {
            return Answer.refused(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    "plan " + busy.get().id() + " already does this",
                    Advice.showPlan(busy.get().id())));
        }
        return PlanBuilder.draft(view, List.of(), found.get(), cluster, params, who);
    }
}
