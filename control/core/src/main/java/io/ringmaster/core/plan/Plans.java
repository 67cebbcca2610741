package io.ringmaster.core.plan;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Copies of plans with a changed part. */
public final class Plans {
    private Plans() {}

    static Plan with(
            Plan plan, PlanStatus status, List<Phase> phases, @Nullable Problem problem, @Nullable Instant endedAt) {
        return with(plan, status, phases, problem, endedAt, plan.load());
    }

    /** The plan with the report of the probe load that ran during its work. */
    public static Plan withLoad(Plan plan, PlanLoad load) {
        return with(plan, plan.status(), plan.phases(), plan.problem(), plan.endedAt(), load);
    }

    private static Plan with(
            Plan plan,
            PlanStatus status,
            List<Phase> phases,
            @Nullable Problem problem,
            @Nullable Instant endedAt,
            @Nullable PlanLoad load) {
        return new Plan(
                plan.id(),
                plan.cluster(),
                plan.operation(),
                plan.params(),
                plan.specVersion(),
                plan.requestedBy(),
                plan.request(),
                plan.createdAt(),
                endedAt,
                status,
                phases,
                plan.notes(),
                problem,
                load);
    }

    /** Ends a plan because a newer one takes over, which also completes the nodes that this one has half done. */
    public static Plan superseded(Plan plan, Instant now) {
        return with(plan, PlanStatus.SUPERSEDED, plan.phases(), plan.problem(), now);
    }

    /** Ends a plan before its steps are over. */
    public static Plan aborted(Plan plan, Instant now) {
        return with(plan, PlanStatus.ABORTED, plan.phases(), plan.problem(), now);
    }

    static Plan mapSteps(Plan plan, UnaryOperator<StepState> change) {
        List<Phase> phases = plan.phases().stream()
                .map(p -> new Phase(
                        p.name(), p.strategy(), p.steps().stream().map(change).toList()))
                .toList();
        return with(plan, plan.status(), phases, plan.problem(), plan.endedAt());
    }

    /** The step as it was before the engine first asked it. */
    static StepState fresh(StepState step) {
        return new StepState(
                step.name(),
                step.type(),
                step.args(),
                step.kept(),
                StepState.Status.PENDING,
                null,
                null,
                null,
                null,
                null,
                step.change());
    }
}
