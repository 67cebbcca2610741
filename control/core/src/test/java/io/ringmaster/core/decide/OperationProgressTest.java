package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.CollectBackups;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationProgressTest {
    private static Phase phase(Step step, StepState.Status status) {
        StepState s = Steps.pending(step);
        StepState there = new StepState(s.name(), s.type(), s.args(), Map.of(), status, null, null, null, null, null);
        return new Phase(s.name(), Phase.Strategy.SERIAL, List.of(there));
    }

    private static String state(PlanStatus status, StepState.Status replace, StepState.Status repair) {
        return state(Samples.plan(
                "replace",
                status,
                phase(new ReplaceNode(Scene.node(1), false), replace),
                phase(new RepairRanges(Scene.RIDES, false, true, Map.of()), repair)));
    }

    private static String backup(PlanStatus status, StepState.Status commit, StepState.Status retain) {
        return state(Samples.plan(
                "backup",
                status,
                phase(new CommitBackup(Scene.RIDES, "20260101T120000Z-3f9c", Map.of()), commit),
                phase(new CollectBackups(Scene.RIDES, Map.of(), true), retain)));
    }

    private static String state(Plan plan) {
        RequestPart now = part(plan);
        return now.state() + (now.repairs() ? ", repairs" : "");
    }

    /** The part of a request that was planned, once this plan of it is stored. */
    private static RequestPart part(Plan plan) {
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                Scene.RIDES,
                "incarnation",
                plan.operation(),
                LockScope.MEND,
                Map.of(),
                "anna",
                "",
                Scene.NOW,
                null);
        RequestPart part = new RequestPart(State.PLANNED, plan.id(), Scene.NOW, "runs");
        View view = Scene.live(Samples.spec("rides", 3, 2))
                .plan(plan)
                .view()
                .with(List.of(new Change.Put(new RequestRecord(request, part))));
        List<Change> changes = OperationProgress.changes(view);
        return ((RequestRecord) ((Change.Put) changes.get(0)).record()).part();
    }

    @Test
    void a_replacement_whose_node_has_joined_is_marked_as_long_as_its_repair_takes() {
        assertThat(state(PlanStatus.RUNNING, StepState.Status.RUNNING, StepState.Status.PENDING))
                .isEqualTo("PLANNED");
        assertThat(state(PlanStatus.RUNNING, StepState.Status.DONE, StepState.Status.WAITING))
                .isEqualTo("PLANNED, repairs");
        assertThat(state(PlanStatus.FAILED, StepState.Status.DONE, StepState.Status.FAILED))
                .isEqualTo("PLANNED, repairs");
        assertThat(state(PlanStatus.COMPLETE, StepState.Status.DONE, StepState.Status.DONE))
                .isEqualTo("DONE");
        assertThat(state(PlanStatus.ABORTED, StepState.Status.DONE, StepState.Status.WAITING))
                .isEqualTo("ENDED");
    }

    @Test
    void a_backup_is_made_once_it_is_committed_also_if_its_deletion_of_older_ones_was_aborted() {
        assertThat(backup(PlanStatus.ABORTED, StepState.Status.DONE, StepState.Status.WAITING))
                .isEqualTo("DONE");
        assertThat(backup(PlanStatus.ABORTED, StepState.Status.WAITING, StepState.Status.PENDING))
                .isEqualTo("ENDED");
        assertThat(backup(PlanStatus.RUNNING, StepState.Status.DONE, StepState.Status.WAITING))
                .as("it holds the lock of backups")
                .isEqualTo("PLANNED");
    }
}
