package io.ringmaster.core.plan;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves a plan along: asks the steps whose turn it is and writes down what they say. Pure; all that it remembers stands in the plan.
 *
 * <p>In a plan that is paused or failed the steps that have begun go on to their end, and no new one begins.
 */
public final class PlanEngine {
    private static final Budget BUDGET = AvailabilityCheck.ONE_AT_A_TIME;

    private final Function<StepState, Step> catalogue;
    private final List<Change> changes = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private View view;
    private boolean givenUp;

    private PlanEngine(View view, Function<StepState, Step> catalogue) {
        this.view = view;
        this.catalogue = catalogue;
    }

    /**
     * One look at the plan. What it changes may let more happen at once: look again until nothing changes.
     *
     * @param catalogue from what is stored of a step to the step: {@code Steps::of}
     */
    public static Advance advance(View view, Plan plan, Function<StepState, Step> catalogue) {
        if (plan.status().isOver()) {
            return new Advance(plan, List.of(), List.of());
        }
        PlanEngine engine = new PlanEngine(view, catalogue);
        Plan next = engine.look(plan);
        return new Advance(next, engine.changes, engine.commands);
    }

    private Plan look(Plan plan) {
        List<Phase> phases = new ArrayList<>(plan.phases());
        Optional<Phase> current = phases.stream().filter(p -> !isOver(p)).findFirst();
        current.ifPresent(p -> phases.set(phases.indexOf(p), look(plan, p)));
        Optional<Problem> failure = phases.stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.status() == StepState.Status.FAILED)
                .map(StepState::problem)
                .findFirst();
        PlanStatus status = plan.status();
        if (phases.stream().allMatch(PlanEngine::isOver)) {
            status = PlanStatus.COMPLETE;
        } else if (givenUp) {
            status = PlanStatus.ABORTED;
        } else if (failure.isPresent()) {
            status = PlanStatus.FAILED;
        }
        return Plans.with(plan, status, phases, failure.orElse(null), status.isOver() ? view.now() : null);
    }

    private Phase look(Plan plan, Phase phase) {
        List<StepState> steps = new ArrayList<>();
        boolean serial = phase.strategy() == Phase.Strategy.SERIAL;
        boolean busy = serial
                && phase.steps().stream()
                        .anyMatch(s -> hasBegun(s) && !s.status().isOver());
        boolean turn = true;
        for (StepState step : phase.steps()) {
            boolean asks = !step.status().isOver()
                    && step.status() != StepState.Status.FAILED
                    && (!serial || (busy ? hasBegun(step) : turn || mayOvertake(step)))
                    && (plan.status() == PlanStatus.RUNNING || hasBegun(step));
            StepState next = asks ? ask(step) : step;
            steps.add(next);
            turn &= next.status().isOver();
            busy |= serial && hasBegun(next) && !next.status().isOver();
        }
        return new Phase(phase.name(), phase.strategy(), steps);
    }

    private StepState ask(StepState step) {
        Verdict verdict = verdict(step);
        if (verdict instanceof Verdict.Do act) {
            apply(act.changes());
            commands.addAll(act.commands());
            StepState moved = moved(step, StepState.Status.RUNNING, act.memory(), act.reason(), null);
            return act.change() == null ? moved : moved.changing(act.change());
        } else if (verdict instanceof Verdict.Wait wait) {
            return moved(step, StepState.Status.WAITING, step.memory(), wait.reason(), null);
        } else if (verdict instanceof Verdict.Done done) {
            apply(done.changes());
            return moved(step, StepState.Status.DONE, step.memory(), done.summary(), null);
        } else if (verdict instanceof Verdict.Failed failed) {
            apply(failed.changes());
            return failed(step, failed.problem());
        } else if (verdict instanceof Verdict.GivenUp end) {
            givenUp = true;
            return failed(step, end.problem());
        }
        throw new IllegalStateException("unknown verdict " + verdict);
    }

    private StepState failed(StepState step, Problem problem) {
        return moved(step, StepState.Status.FAILED, step.memory(), problem.message(), problem);
    }

    private boolean mayOvertake(StepState step) {
        try {
            return catalogue.apply(step).mayOvertake(view);
        } catch (IllegalArgumentException e) {
            return false; // Asked in its turn, it says what is wrong with it.
        }
    }

    /** A step that cannot be made or asked fails its own plan and no other. */
    private Verdict verdict(StepState step) {
        try {
            return catalogue.apply(step).next(view, BUDGET, step.memory());
        } catch (RuntimeException e) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            ErrorCode.INTERNAL,
                            "step '" + step.name() + "' cannot be decided: " + e,
                            "report this; the plan can be retried or aborted"));
        }
    }

    private void apply(List<Change> made) {
        changes.addAll(made);
        view = view.with(made);
    }

    private StepState moved(
            StepState step,
            StepState.Status status,
            Map<String, String> memory,
            String reason,
            @Nullable Problem problem) {
        boolean ended = status.isOver() || status == StepState.Status.FAILED;
        return new StepState(
                step.name(),
                step.type(),
                step.args(),
                memory,
                status,
                step.startedAt() == null ? view.now() : step.startedAt(),
                ended ? view.now() : null,
                reason,
                reason.equals(step.reason()) && step.since() != null ? step.since() : view.now(),
                problem,
                step.change());
    }

    /** It has acted: it runs, or it waits and remembers why. One that only waits for its turn has not begun. */
    private static boolean hasBegun(StepState step) {
        return step.status() == StepState.Status.RUNNING || !step.memory().isEmpty();
    }

    private static boolean isOver(Phase phase) {
        return phase.steps().stream().allMatch(s -> s.status().isOver());
    }
}
