package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlPlanTest {
    @Test
    void a_step_of_a_newer_version_is_declared_done_and_nothing_follows_from_it() {
        StepState unknown = new StepState(
                "paint", "paint-node", Map.of(), Map.of(), StepState.Status.RUNNING, null, null, null, null, null);
        Plan plan = Samples.plan(
                Plan.DEPLOY, PlanStatus.RUNNING, new Phase("paint", Phase.Strategy.SERIAL, List.of(unknown)));
        Scene scene = Scene.live(Samples.spec("rides", 3, 2)).plan(plan);
        Answer<Decision<Plan>> answer =
                new ControlPlan(scene.view(), plan, PlanVerb.FORCE_COMPLETE, "paint", "alice").answer();
        assertThat(answer).isInstanceOfSatisfying(Answer.Accepted.class, accepted -> {
            Decision<?> decision = (Decision<?>) accepted.value();
            assertThat(decision.changes()).hasSize(1);
            assertThat(((Plan) decision.result()).phases().get(0).steps().get(0).status())
                    .isEqualTo(StepState.Status.FORCED);
        });
    }
}
