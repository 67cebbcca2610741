package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReconcilePassTest {
    private static Plan waiting() {
        Phase verify =
                new Phase("verify", Phase.Strategy.SERIAL, List.of(Steps.pending(new VerifyRing(Scene.RIDES, 1))));
        return Samples.plan(Plan.DEPLOY, PlanStatus.RUNNING, verify);
    }

    private static PlanStatus after(Scene scene) {
        return ReconcilePass.over(scene.view(), Set.of(Scene.RIDES), Map.of(), Steps::of, 1)
                .view()
                .plans()
                .get(waiting().id())
                .status();
    }

    @Test
    void a_plan_that_waits_ends_when_the_cluster_is_deleted_elsewhere_and_nothing_is_left_here() {
        Scene left = Scene.declared(Samples.spec("rides", 3, 2)).created().plan(waiting());
        assertThat(after(left.deleting())).isEqualTo(PlanStatus.SUPERSEDED);
    }
}
