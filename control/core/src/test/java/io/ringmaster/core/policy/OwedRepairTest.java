package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwedRepairTest {
    private static final Duration HALF_HOUR = Duration.ofMinutes(30);
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    private static Scene owing(ClusterSpec spec) {
        return Scene.live(spec).settled().record(1, r -> r.owing(Scene.NOW));
    }

    private static Scene automatic() {
        return owing(SPEC.with(new AutomaticReplacement(HALF_HOUR.toMinutes())));
    }

    private static Optional<Map<String, String>> due(Scene scene) {
        return due(scene.view());
    }

    private static Optional<Map<String, String>> due(View view) {
        return OwedRepair.dueHere(view, Scene.RIDES, 1);
    }

    private static View asked(RequestPart.State state, String operation, Duration ago) {
        return asked(automatic().view(), LockScope.REPAIR, state, operation, ago);
    }

    private static View asked(View view, LockScope scope, RequestPart.State state, String operation, Duration ago) {
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                Scene.RIDES,
                view.targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                operation,
                scope,
                Map.of(),
                AutomaticReplace.WHO,
                "",
                at,
                null);
        return view.with(List.of(new Change.Put(new RequestRecord(request, new RequestPart(state, null, at, "")))));
    }

    @Test
    void a_repair_that_a_node_owes_is_requested_where_nodes_are_replaced_automatically() {
        assertThat(due(automatic())).contains(Map.of("node", "dc1/node-1", "intensity", "0.5"));
        assertThat(due(owing(SPEC))).as("a person decides").isEmpty();
        assertThat(due(automatic().record(1, r -> r.repaired(Scene.NOW.plusSeconds(1)))))
                .isEmpty();
    }

    @Test
    void it_works_at_half_the_time_or_as_the_schedule_says() {
        ClusterSpec scheduled =
                SPEC.with(new AutomaticReplacement(HALF_HOUR.toMinutes())).with(new RepairSchedule(60, 0.25));
        assertThat(due(owing(scheduled)).orElseThrow()).containsEntry("intensity", "0.25");
        Planned.Draft draft = (Planned.Draft) new Repair()
                .plan(automatic().view(), Scene.RIDES, due(automatic()).orElseThrow());
        assertThat(draft.phases().get(0).steps().get(0).args())
                .as("the ranges that the node owes")
                .containsEntry("task.intensity", "0.5");
    }

    @Test
    void the_maximum_in_progress_is_fleet_wide() {
        View view = automatic().view();
        Request elsewhere = new Request(
                new RequestId(Samples.DC1, 3),
                new ClusterName("eats"),
                "dc1-1",
                "repair",
                LockScope.REPAIR,
                Map.of(),
                AutomaticReplace.WHO,
                "",
                Scene.NOW,
                null);
        RequestPart runs = new RequestPart(RequestPart.State.PLANNED, null, Scene.NOW, "runs");
        View busy = view.with(List.of(new Change.Put(new RequestRecord(elsewhere, runs))));
        assertThat(OwedRepair.dueHere(busy, Scene.RIDES, 1)).isEmpty();
        assertThat(OwedRepair.dueHere(busy, Scene.RIDES, 2)).isPresent();
    }

    @Test
    void it_waits_until_every_node_is_up() {
        assertThat(due(automatic().says(2, OperatingMode.DOWN))).isEmpty();
    }

    @Test
    void it_waits_for_whatever_operation_is_at_work() {
        assertThat(due(asked(RequestPart.State.PLANNED, "replace", HALF_HOUR.multipliedBy(2))))
                .isEmpty();
        assertThat(due(asked(RequestPart.State.DONE, "replace", Duration.ZERO))).isPresent();
    }

    @Test
    void it_does_not_wait_for_an_operation_that_waits_for_a_person_unless_the_lock_does() {
        assertThat(due(unfinished(LockScope.NODES, PlanStatus.RUNNING))).isEmpty();
        assertThat(due(unfinished(LockScope.NODES, PlanStatus.FAILED))).isPresent();
        assertThat(due(unfinished(LockScope.NODES, PlanStatus.PAUSED))).isPresent();
        assertThat(due(unfinished(LockScope.RING, PlanStatus.FAILED))).isEmpty();
        assertThat(due(unfinished(LockScope.BACKUP, PlanStatus.RUNNING)))
                .as("an upload takes hours")
                .isPresent();
    }

    private static View unfinished(LockScope scope, PlanStatus status) {
        View view = automatic().view();
        Plan plan = new Plan(
                new PlanId(Samples.DC1, 9),
                Scene.RIDES,
                "compact",
                Map.of(),
                1,
                "anna",
                new RequestId(Samples.DC1, 3),
                Scene.NOW,
                null,
                status,
                List.of(),
                List.of(),
                null,
                null);
        return asked(view, scope, RequestPart.State.PLANNED, "compact", Duration.ZERO)
                .with(List.of(new Change.Put(new PlanRecord(plan))));
    }

    @Test
    void a_node_that_has_left_owes_nothing_and_is_not_awaited() {
        assertThat(due(automatic().record(0, r -> r.leave(null).takenAway()).says(0, OperatingMode.DECOMMISSIONED)))
                .contains(Map.of("node", "dc1/node-1", "intensity", "0.5"));
    }

    @Test
    void one_that_ended_is_requested_again_after_a_pause() {
        assertThat(due(asked(RequestPart.State.ENDED, "repair", HALF_HOUR.minusSeconds(1))))
                .isEmpty();
        assertThat(due(asked(RequestPart.State.ENDED, "repair", HALF_HOUR))).isPresent();
    }
}
