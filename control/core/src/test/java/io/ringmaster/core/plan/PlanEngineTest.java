package io.ringmaster.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Phase.Strategy;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanEngineTest {
    private final View view = Scene.declared(Samples.spec("rides", 3, 2)).view();
    private final Map<String, Verdict> says = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Set<String> urgent = new HashSet<>();
    private final Set<String> held = new HashSet<>();

    private record Scripted(
            String name, Map<String, Verdict> says, List<String> asked, boolean mayOvertake, boolean isHeld)
            implements Step {
        @Override
        public Verdict next(View view, Budget budget, Map<String, String> memory) {
            asked.add(name);
            Verdict verdict = says.get(name);
            if (verdict == null) {
                throw new IllegalStateException("nothing to say");
            }
            return verdict;
        }

        @Override
        public boolean mayOvertake(View view) {
            return mayOvertake;
        }

        @Override
        public boolean isHeld(View view, Map<String, String> memory) {
            return isHeld;
        }
    }

    private static Phase phase(String name, Strategy strategy, String... steps) {
        return new Phase(
                name,
                strategy,
                List.of(steps).stream()
                        .map(s -> new StepState(
                                s,
                                "scripted",
                                Map.of(),
                                Map.of(),
                                StepState.Status.PENDING,
                                null,
                                null,
                                null,
                                null,
                                null))
                        .toList());
    }

    private static Plan plan(Phase... phases) {
        return Samples.plan(Plan.DEPLOY, PlanStatus.RUNNING, phases);
    }

    private Plan look(Plan plan) {
        return look(view, plan);
    }

    private Plan look(View now, Plan plan) {
        asked.clear();
        return PlanEngine.advance(now, plan, s -> scripted(s.name())).plan();
    }

    private Step scripted(String name) {
        return new Scripted(name, says, asked, urgent.contains(name), held.contains(name));
    }

    private static Verdict waits(String reason) {
        return new Verdict.Wait(reason);
    }

    private static Verdict done() {
        return new Verdict.Done(List.of(), "done");
    }

    private static Verdict acts() {
        return new Verdict.Do(List.of(), List.of(), "acts", Map.of("begun", "yes"));
    }

    private static Verdict fails() {
        return new Verdict.Failed(List.of(), Problem.of(ErrorCode.DAEMON_FAILED, "broken"));
    }

    private View later() {
        return ViewBuilder.builder(view)
                .now(view.now().plus(Duration.ofSeconds(5)))
                .build();
    }

    private static StepState step(Plan plan, String name) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Plan apply(Plan plan, PlanVerb verb, String step) {
        PlanControl.Outcome outcome = PlanControl.apply(plan, verb, step, "bob", Scene.NOW);
        assertThat(outcome.refusal()).isNull();
        return outcome.plan();
    }

    private static ErrorCode refused(Plan plan, PlanVerb verb, String step) {
        PlanControl.Outcome outcome = PlanControl.apply(plan, verb, step, "bob", Scene.NOW);
        assertThat(outcome.plan()).isNull();
        return outcome.refusal().code();
    }

    @Test
    void phases_run_one_after_another_and_serial_steps_too() {
        says.put("a", waits("first"));
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a", "b"), phase("two", Strategy.PARALLEL, "c", "d")));
        assertThat(asked).containsExactly("a");
        says.put("a", done());
        says.put("b", done());
        plan = look(plan);
        assertThat(asked).containsExactly("a", "b");
        says.put("c", waits("third"));
        says.put("d", acts());
        plan = look(plan);
        assertThat(asked).containsExactly("c", "d");
        says.put("c", done());
        says.put("d", done());
        plan = look(plan);
        assertThat(plan.status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(plan.endedAt()).isEqualTo(Scene.NOW);
        assertThat(look(plan)).isEqualTo(plan);
        assertThat(asked).isEmpty();
    }

    @Test
    void an_urgent_step_overtakes_steps_that_wait_to_start_and_then_runs_alone() {
        urgent.add("c");
        says.put("a", waits("its turn"));
        says.put("c", acts());
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a", "b", "c")));
        assertThat(asked).containsExactly("a", "c");
        plan = look(plan);
        assertThat(asked).containsExactly("c");
        says.put("c", done());
        look(look(plan));
        assertThat(asked).containsExactly("a");
    }

    @Test
    void an_urgent_step_does_not_start_while_another_runs() {
        urgent.add("b");
        says.put("a", acts());
        look(look(plan(phase("one", Strategy.SERIAL, "a", "b"))));
        assertThat(asked).containsExactly("a");
    }

    @Test
    void an_urgent_step_starts_while_another_is_held_back_and_no_other_step_does() {
        urgent.add("c");
        says.put("a", acts());
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a", "b", "c")));
        held.add("a");
        says.put("a", waits("the new target is held back"));
        says.put("c", acts());
        plan = look(plan);
        assertThat(asked).containsExactly("a", "c");
        look(plan);
        assertThat(asked).containsExactly("a", "c");
    }

    @Test
    void since_is_kept_while_the_reason_stays_the_same() {
        says.put("a", waits("for rain"));
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a")));
        plan = look(later(), plan);
        assertThat(step(plan, "a").since()).isEqualTo(Scene.NOW);
        says.put("a", waits("for snow"));
        plan = look(later(), plan);
        assertThat(step(plan, "a").since()).isEqualTo(later().now());
        assertThat(step(plan, "a").startedAt()).isEqualTo(Scene.NOW);
    }

    @Test
    void the_kind_of_a_change_is_kept_until_the_step_decides_another() {
        Plan planned =
                Plans.mapSteps(plan(phase("one", Strategy.SERIAL, "a")), s -> s.changing(NodeChangeKind.UNKNOWN));
        says.put("a", waits("for rain"));
        assertThat(step(look(planned), "a").change()).isEqualTo(NodeChangeKind.UNKNOWN);
        says.put("a", new Verdict.Do(List.of(), List.of(), "acts", Map.of("acted", "true"), NodeChangeKind.LIVE));
        Plan decided = look(planned);
        assertThat(step(decided, "a").change()).isEqualTo(NodeChangeKind.LIVE);
        says.put("a", done());
        assertThat(step(look(decided), "a").change()).isEqualTo(NodeChangeKind.LIVE);
    }

    @Test
    void a_failed_step_fails_the_plan_while_parallel_steps_run_to_their_end() {
        says.put("a", fails());
        says.put("b", acts());
        says.put("c", waits("its turn"));
        Plan plan = look(plan(phase("one", Strategy.PARALLEL, "a", "b", "c"), phase("two", Strategy.SERIAL, "d")));
        assertThat(plan.status()).isEqualTo(PlanStatus.FAILED);
        assertThat(plan.problem().message()).isEqualTo("broken");
        says.put("b", done());
        plan = look(plan);
        assertThat(asked).containsExactly("b");
        assertThat(step(plan, "b").status()).isEqualTo(StepState.Status.DONE);
        assertThat(step(plan, "c").status()).isEqualTo(StepState.Status.WAITING);
    }

    @Test
    void a_step_that_gives_up_ends_its_plan_so_that_others_get_the_lock() {
        says.put("a", new Verdict.GivenUp(Problem.of(ErrorCode.NO_MACHINE_FITS, "no room")));
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a", "b")));
        assertThat(asked).containsExactly("a");
        assertThat(plan.status()).isEqualTo(PlanStatus.ABORTED);
        assertThat(plan.problem().message()).isEqualTo("no room");
        assertThat(plan.endedAt()).isEqualTo(Scene.NOW);
    }

    @Test
    void retry_starts_failed_steps_again() {
        says.put("a", fails());
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a", "b")));
        assertThat(refused(plan, PlanVerb.RETRY, "b")).isEqualTo(ErrorCode.PLAN_STATE);
        plan = apply(plan, PlanVerb.RETRY, "a");
        assertThat(plan.status()).isEqualTo(PlanStatus.RUNNING);
        assertThat(plan.problem()).isNull();
        assertThat(step(plan, "a").status()).isEqualTo(StepState.Status.PENDING);
        assertThat(refused(plan, PlanVerb.RETRY, null)).isEqualTo(ErrorCode.PLAN_STATE);
    }

    @Test
    void a_forced_step_counts_as_done_and_names_the_user() {
        says.put("a", fails());
        Plan plan = apply(look(plan(phase("one", Strategy.SERIAL, "a", "b"))), PlanVerb.FORCE_COMPLETE, "a");
        assertThat(plan.status()).isEqualTo(PlanStatus.RUNNING);
        assertThat(step(plan, "a").reason()).isEqualTo("declared done by bob");
        says.put("b", done());
        assertThat(look(plan).status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(refused(plan, PlanVerb.FORCE_COMPLETE, "a")).isEqualTo(ErrorCode.PLAN_STATE);
        assertThat(refused(plan, PlanVerb.FORCE_COMPLETE, "z")).isEqualTo(ErrorCode.STEP_UNKNOWN);
        assertThat(refused(plan, PlanVerb.FORCE_COMPLETE, null)).isEqualTo(ErrorCode.STEP_UNKNOWN);
    }

    @Test
    void a_paused_plan_completes_started_steps_and_starts_none() {
        says.put("a", acts());
        says.put("b", waits("its turn"));
        Plan plan = apply(look(plan(phase("one", Strategy.PARALLEL, "a", "b"))), PlanVerb.PAUSE, null);
        look(plan);
        assertThat(asked).containsExactly("a");
        assertThat(refused(plan, PlanVerb.PAUSE, null)).isEqualTo(ErrorCode.PLAN_STATE);
        plan = apply(plan, PlanVerb.RESUME, null);
        look(plan);
        assertThat(asked).containsExactly("a", "b");
        assertThat(refused(plan, PlanVerb.RESUME, null)).isEqualTo(ErrorCode.PLAN_STATE);
    }

    @Test
    void an_aborted_plan_is_over_for_good() {
        says.put("a", acts());
        Plan plan = apply(look(plan(phase("one", Strategy.SERIAL, "a"))), PlanVerb.ABORT, null);
        assertThat(plan.status()).isEqualTo(PlanStatus.ABORTED);
        assertThat(look(plan)).isEqualTo(plan);
        for (PlanVerb verb : PlanVerb.values()) {
            assertThat(refused(plan, verb, "a")).isEqualTo(ErrorCode.PLAN_STATE);
        }
    }

    @Test
    void a_step_that_breaks_fails_its_own_plan_with_the_cause() {
        Plan plan = look(plan(phase("one", Strategy.SERIAL, "a")));
        assertThat(plan.status()).isEqualTo(PlanStatus.FAILED);
        assertThat(plan.problem().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(plan.problem().message()).contains("nothing to say");
    }
}
