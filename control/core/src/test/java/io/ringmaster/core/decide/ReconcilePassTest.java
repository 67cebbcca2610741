package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void a_datacenter_that_has_left_is_taken_out_of_the_replication_of_roles_unasked() {
        Scene left = Scene.live(Samples.spec("rides", 3, 2).withRoles(List.of()))
                .settled()
                .plan(Samples.plan(Plan.DEPLOY, PlanStatus.COMPLETE));
        var outcome = ReconcilePass.over(left.view(), Set.of(Scene.RIDES), Map.of(), Steps::of, 1);
        assertThat(outcome.asked()).singleElement().satisfies(r -> {
            assertThat(r.operation()).isEqualTo("replicate-roles");
            assertThat(r.why()).isEqualTo("dc2 has left the ring");
        });
        assertThat(outcome.view().nodes().values())
                .as("a node has the task: there is nobody to wait for")
                .anyMatch(n -> n.task() != null && n.task().args().equals(Map.of("nodes", "dc1:3")));
        Scene stays = left.roleReplicas(Map.of("dc1", 3));
        assertThat(ReconcilePass.over(stays.view(), Set.of(Scene.RIDES), Map.of(), Steps::of, 1)
                        .asked())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"automatic, ABORTED", "schedule, ABORTED", "anna, FAILED"})
    void a_repair_that_nobody_watches_ends_when_it_fails(String who, PlanStatus status) {
        StepState failed = new StepState(
                "repair",
                "verify-ring",
                Map.of(),
                Map.of(),
                StepState.Status.FAILED,
                Scene.NOW,
                Scene.NOW,
                "a replica died",
                Scene.NOW,
                Problem.of(ErrorCode.TASK_FAILED, "a replica died"),
                null);
        Plan plan = new Plan(
                waiting().id(),
                Scene.RIDES,
                Repair.NAME,
                Map.of(),
                1,
                who,
                new RequestId(Samples.DC1, 1),
                Scene.NOW,
                null,
                PlanStatus.RUNNING,
                List.of(new Phase("repair", Phase.Strategy.SERIAL, List.of(failed))),
                List.of(),
                null,
                null);
        assertThat(after(Scene.live(Samples.spec("rides", 3, 2)).settled().plan(plan)))
                .isEqualTo(status);
    }
}
