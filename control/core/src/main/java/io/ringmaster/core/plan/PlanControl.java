package io.ringmaster.core.plan;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies the verb of a user to a plan. Pure: the caller persists the result. */
public final class PlanControl {
    private PlanControl() {}

    /** Exactly one of the two is set. */
    public record Outcome(@Nullable Plan plan, @Nullable Problem refusal) {}

    /**
     * @param step the name of the step to retry (null: all failed steps) or to force; ignored by the other verbs
     * @param who written into a forced step, so that the plan shows who declared it done
     */
    public static Outcome apply(Plan plan, PlanVerb verb, @Nullable String step, String who, Instant now) {
        if (plan.status().isOver()) {
            return refused(plan, "is already " + word(plan.status()), "apply the spec or run the operation again");
        }
        return switch (verb) {
            case PAUSE ->
                plan.status() == PlanStatus.RUNNING
                        ? status(plan, PlanStatus.PAUSED)
                        : refused(plan, "is " + word(plan.status()) + ", not running", null);
            case RESUME ->
                plan.status() == PlanStatus.PAUSED
                        ? status(plan, PlanStatus.RUNNING)
                        : refused(
                                plan,
                                "is " + word(plan.status()) + ", not paused",
                                plan.status() == PlanStatus.FAILED ? "use retry, force-complete or abort" : null);
            case ABORT -> new Outcome(Plans.aborted(plan, now), null);
            case RETRY -> retry(plan, step);
            case FORCE_COMPLETE -> force(plan, step, who, now);
        };
    }

    private static Outcome retry(Plan plan, @Nullable String name) {
        if (name != null) {
            Optional<StepState> step = find(plan, name);
            if (step.isEmpty()) {
                return unknownStep(plan, name);
            }
            if (step.get().status() != StepState.Status.FAILED) {
                return refused(plan, "has not failed in step '" + name + "'", null);
            }
        } else if (plan.status() != PlanStatus.FAILED) {
            return refused(plan, "has not failed", null);
        }
        Plan retried = Plans.mapSteps(
                plan,
                s -> s.status() == StepState.Status.FAILED
                                && (name == null || s.name().equals(name))
                        ? Plans.fresh(s)
                        : s);
        return new Outcome(settle(retried), null);
    }

    private static Outcome force(Plan plan, @Nullable String name, String who, Instant now) {
        if (name == null) {
            return new Outcome(
                    null,
                    new Problem(
                            ErrorCode.STEP_UNKNOWN,
                            "step",
                            "force-complete needs the name of a step",
                            "one of: " + names(plan)));
        }
        Optional<StepState> step = find(plan, name);
        if (step.isEmpty()) {
            return unknownStep(plan, name);
        }
        if (step.get().status().isOver()) {
            return refused(plan, "has already done step '" + name + "'", null);
        }
        Plan forced = Plans.mapSteps(
                plan,
                s -> s.name().equals(name)
                        ? new StepState(
                                s.name(),
                                s.type(),
                                s.args(),
                                s.memory(),
                                StepState.Status.FORCED,
                                s.startedAt() == null ? now : s.startedAt(),
                                now,
                                "declared done by " + who,
                                now,
                                s.problem(),
                                s.change())
                        : s);
        return new Outcome(settle(forced), null);
    }

    /** A failed plan runs again once it has no failed step. */
    private static Plan settle(Plan plan) {
        boolean failed = plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .anyMatch(s -> s.status() == StepState.Status.FAILED);
        return failed || plan.status() != PlanStatus.FAILED
                ? plan
                : Plans.with(plan, PlanStatus.RUNNING, plan.phases(), null, null);
    }

    private static Outcome status(Plan plan, PlanStatus status) {
        return new Outcome(Plans.with(plan, status, plan.phases(), plan.problem(), null), null);
    }

    private static Optional<StepState> find(Plan plan, String name) {
        return steps(plan).stream().filter(s -> s.name().equals(name)).findFirst();
    }

    private static List<StepState> steps(Plan plan) {
        return plan.phases().stream().flatMap(p -> p.steps().stream()).toList();
    }

    private static String names(Plan plan) {
        return String.join(
                ", ",
                steps(plan).stream()
                        .filter(s -> !s.status().isOver())
                        .map(s -> "'" + s.name() + "'")
                        .toList());
    }

    private static Outcome unknownStep(Plan plan, String name) {
        return new Outcome(
                null,
                new Problem(
                        ErrorCode.STEP_UNKNOWN,
                        "step",
                        "plan " + plan.id() + " has no step '" + name + "'",
                        "one of: " + names(plan)));
    }

    private static Outcome refused(Plan plan, String why, @Nullable String nextStep) {
        return new Outcome(null, new Problem(ErrorCode.PLAN_STATE, null, "plan " + plan.id() + " " + why, nextStep));
    }

    private static String word(PlanStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
