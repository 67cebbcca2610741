package io.ringmaster.controller;

import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What becomes of an operation that was asked for: a refusal or a plan. Changes nothing itself. */
record Run(View view, String operation, ClusterName cluster, Map<String, String> params, String who) {

    Answer<Drafting.Proposal> answer() {
        Optional<Operation> found = Operations.named(operation);
        if (found.isEmpty()) {
            return Answer.refused(Problem.field(
                    ErrorCode.SPEC_INVALID,
                    "operation",
                    "'" + operation + "' is no operation, allowed: "
                            + Operations.all().stream().map(Operation::name).toList()));
        }
        List<Problem> wrong = wrongParams(found.get());
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
                    "plan " + busy.get().id() + " does this already",
                    "./ringmaster plan show " + busy.get().id()));
        }
        return Drafting.draft(view, List.of(), found.get(), cluster, params, who);
    }

    private List<Problem> wrongParams(Operation found) {
        List<String> allowed =
                found.params().stream().map(Operation.Param::name).toList();
        List<Problem> problems = new ArrayList<>();
        params.keySet().stream()
                .filter(p -> !allowed.contains(p))
                .forEach(p -> problems.add(Problem.field(
                        ErrorCode.SPEC_INVALID, p, "is no parameter of " + operation + ", allowed: " + allowed)));
        found.params().stream()
                .filter(p -> p.required() && !params.containsKey(p.name()))
                .forEach(p -> problems.add(Problem.field(ErrorCode.SPEC_INVALID, p.name(), "is missing: " + p.help())));
        return problems;
    }
}
