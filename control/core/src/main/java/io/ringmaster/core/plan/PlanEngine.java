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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Advances a plan: isAsked the steps that may run and records their verdicts. Pure; everything that the engine
 * remembers is in the plan.
 *
 * <p>In a paused or failed plan, steps that have started run to their end and no other step starts.
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
     * Evaluates the plan once. A change may allow further steps to run at once: call this until nothing changes.
     *
     * @param catalogue from a stored step to the step: {@code Steps::of}
     */
    public static Advance advance(View view, Plan plan, Function<StepState, Step> catalogue) {
        if (plan.status().isOver()) {
            return new Advance(plan, List.of(), List.of());
        }
        PlanEngine engine = new PlanEngine(view, catalogue);
        Plan next = engine.evaluate(plan);
        return new Advance(next, engine.changes, engine.commands);
    }

    private Plan evaluate(Plan plan) {
        List<Phase> phases = new ArrayList<>(plan.phases());
        Optional<Phase> current = phases.stream().filter(p -> !isOver(p)).findFirst();
        current.ifPresent(p -> phases.set(phases.indexOf(p), evaluate(plan, p)));
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

    private Phase evaluate(Plan plan, Phase phase) {
        List<StepState> steps = new ArrayList<>();
        boolean serial = phase.strategy() == Phase.Strategy.SERIAL;
        boolean busy = serial && phase.steps().stream().anyMatch(this::isBusy);
        boolean precedingOver = true;
        for (StepState step : phase.steps()) {
            boolean isAsked = !step.status().isOver()
                    && step.status() != StepState.Status.FAILED
                    && (!serial || hasStarted(step) || (!busy && (precedingOver || mayOvertake(step))))
                    && (plan.status() == PlanStatus.RUNNING || hasStarted(step));
            StepState next = isAsked ? ask(step) : step;
            steps.add(next);
            precedingOver &= next.status().isOver();
            busy |= serial && isBusy(next);
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

    /** Whether no other step of a serial phase may start. */
    private boolean isBusy(StepState step) {
        return hasStarted(step) && !step.status().isOver() && !is(step, s -> s.isHeld(view, step.memory()));
    }

    private boolean mayOvertake(StepState step) {
        return is(step, s -> s.mayOvertake(view));
    }

    private boolean is(StepState step, Predicate<Step> test) {
        try {
            return test.test(catalogue.apply(step));
        } catch (IllegalArgumentException e) {
            return false; // the step reports the problem itself when it runs
        }
    }

    /** A step that cannot be read or throws fails its own plan and no other. */
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

    /**
     * Whether the step has acted: it runs, or it waits and remembers something. A step that only waits for its
     * start has not.
     */
    private static boolean hasStarted(StepState step) {
        return step.status() == StepState.Status.RUNNING || !step.memory().isEmpty();
    }

    private static boolean isOver(Phase phase) {
        return phase.steps().stream().allMatch(s -> s.status().isOver());
    }
}
