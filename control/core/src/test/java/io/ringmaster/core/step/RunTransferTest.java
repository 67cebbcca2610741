package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.CommandLines;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus.State;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTransferTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final NodeTask UPLOAD =
            new NodeTask("backup-upload-node-1-2", NodeTask.Kind.BACKUP_UPLOAD, Map.of("to", "main"));
    private static final Map<String, String> MEMORY = Map.of("transfer", UPLOAD.id(), "allocation", "rides-dc1-node-1");

    private static RunTransfer upload(boolean forSpec) {
        return new RunTransfer(Scene.node(1), UPLOAD.kind(), UPLOAD.args(), forSpec);
    }

    private static Verdict next(Scene scene, Map<String, String> memory) {
        return upload(false).next(scene.view(), ONE_AT_A_TIME, memory);
    }

    private static String line(Scene scene) {
        return Verdicts.line(next(scene, MEMORY));
    }

    private static Scene uploading() {
        return Scene.live(SPEC).record(1, r -> r.withTransfer(UPLOAD)).says(1, OperatingMode.NORMAL);
    }

    /** A plan whose step remembers the transfer. */
    private static Plan plan(PlanStatus status) {
        StepState pending = Steps.pending(upload(false));
        StepState started = new StepState(
                pending.name(),
                pending.type(),
                pending.args(),
                MEMORY,
                StepState.Status.WAITING,
                Scene.NOW,
                null,
                null,
                null,
                null);
        return Samples.plan("backup", status, new Phase("upload", Phase.Strategy.PARALLEL, List.of(started)));
    }

    @Test
    void the_transfer_is_decided_and_recovery_sends_it_beside_the_task_of_the_node() {
        NodeTask repair = new NodeTask("repair-node-1-2", NodeTask.Kind.REPAIR, Map.of());
        Scene scene = Scene.live(SPEC);
        Verdict.Do asked = (Verdict.Do) next(scene, Map.of());
        assertThat(asked.memory()).isEqualTo(MEMORY);
        assertThat(asked.commands()).isEmpty();
        scene.after(asked.changes()).plan(plan(PlanStatus.RUNNING));
        NodeRecord record = scene.view().nodes().get(Scene.node(1));
        assertThat(record.transfer()).isEqualTo(UPLOAD);
        assertThat(NodeTargets.of(scene.view(), record.withTask(repair)).transfer())
                .isEqualTo(UPLOAD);
        assertThat(NodeTargets.of(scene.view(), record.withTask(repair)).task()).isEqualTo(repair);
        assertThat(Recovery.of(scene.view(), Scene.RIDES).commands().stream().map(CommandLines::of))
                .containsExactly("Apply node-1 g2 v1");
    }

    @Test
    void the_reason_changes_with_each_tenth_and_the_end_is_the_message() {
        Scene scene = uploading();
        assertThat(line(scene)).isEqualTo("wait: the executor has not started the transfer yet");
        assertThat(line(scene.transfer(1, State.RUNNING, 0, 0, "reads the base")))
                .isEqualTo("wait: backup-upload: reads the base");
        assertThat(line(scene.transfer(1, State.RUNNING, 430, 1024, "sends")))
                .isEqualTo("wait: backup-upload: 40 % of 1 KiB: sends")
                .isEqualTo(line(scene.transfer(1, State.RUNNING, 500, 1024, "sends")));
        assertThat(line(scene.transfer(1, State.DONE, 1024, 1024, "sent 1 KiB")))
                .isEqualTo("done {node-1 g3 v1 good1 joined launched}: sent 1 KiB in 0.0 s");
    }

    @Test
    void a_failure_ends_the_plan_of_a_request_and_keeps_that_of_a_spec_for_a_retry() {
        Scene scene = uploading().transfer(1, State.FAILED, 0, 0, "main refuses the key");
        assertThat(line(scene))
                .isEqualTo("given up TASK_FAILED: backup-upload of rides/dc1/node-1 failed: main refuses the key");
        Verdict.Failed failed = (Verdict.Failed) upload(true).next(scene.view(), ONE_AT_A_TIME, MEMORY);
        scene.after(failed.changes());
        assertThat(scene.view().nodes().get(Scene.node(1)).transfer()).isNull();
    }

    @Test
    void a_check_that_failed_waits_for_the_others_so_that_all_that_fail_are_named() {
        Scene scene = Scene.live(SPEC);
        for (int i = 0; i < 3; i++) {
            NodeTask check = new NodeTask("check-" + i, NodeTask.Kind.BACKUP_CHECK, Map.of());
            scene.record(i, r -> r.withTransfer(check)).says(i, OperatingMode.NORMAL);
        }
        scene.transfer(0, State.FAILED, 0, 0, "no room");
        Verdict.Do failed = (Verdict.Do) check(scene, 0, Map.of());
        assertThat(failed.reason()).isEqualTo("backup-check of rides/dc1/node-0 failed: no room");
        scene.after(failed.changes());
        assertThat(Verdicts.line(check(scene, 0, failed.memory())))
                .startsWith("wait: backup-check of rides/dc1/node-0");
        scene.transfer(1, State.FAILED, 0, 0, "wrong key");
        Verdict.Do second = (Verdict.Do) check(scene, 1, Map.of());
        scene.after(second.changes());
        scene.transfer(2, State.DONE, 0, 0, "fine");
        assertThat(Verdicts.line(check(scene, 0, failed.memory())))
                .startsWith("given up")
                .endsWith("no room");
        assertThat(Verdicts.line(check(scene, 1, second.memory())))
                .startsWith("given up")
                .endsWith("wrong key");
        assertThat(check(scene, 2, Map.of())).isInstanceOf(Verdict.Done.class);
    }

    @Test
    void the_only_check_that_failed_ends_at_once() {
        NodeTask check = new NodeTask("check-0", NodeTask.Kind.BACKUP_CHECK, Map.of());
        Scene scene = Scene.live(SPEC).record(0, r -> r.withTransfer(check)).says(0, OperatingMode.NORMAL);
        scene.transfer(0, State.FAILED, 0, 0, "no room");
        assertThat(check(scene, 0, Map.of())).isInstanceOf(Verdict.GivenUp.class);
    }

    /** @param more than the transfer and its allocation */
    private static Verdict check(Scene scene, int index, Map<String, String> more) {
        Map<String, String> memory = new HashMap<>(more);
        memory.put("transfer", "check-" + index);
        memory.put("allocation", "rides-dc1-node-" + index);
        RunTransfer step = new RunTransfer(Scene.node(index), NodeTask.Kind.BACKUP_CHECK, Map.of(), false);
        return step.next(scene.view(), ONE_AT_A_TIME, memory);
    }

    @Test
    void a_node_without_its_daemon_goes_on_and_one_without_its_executor_is_waited_for() {
        Scene scene = uploading().says(1, OperatingMode.DOWN);
        assertThat(line(scene)).isEqualTo("wait: the executor has not started the transfer yet");
        assertThat(line(scene.transfer(1, State.DONE, 0, 0, "sent"))).startsWith("done");
        assertThat(line(scene.silent(1))).isEqualTo("wait: node-1: its executor does not answer");
        assertThat(line(Scene.live(SPEC).record(1, r -> r.withTransfer(UPLOAD))))
                .isEqualTo("wait: node-1 has not taken its newest target yet");
    }

    @Test
    void another_transfer_of_the_node_goes_first() {
        NodeTask other = new NodeTask("backup-check-node-1-2", NodeTask.Kind.BACKUP_CHECK, Map.of());
        Scene scene = Scene.live(SPEC).record(1, r -> r.withTransfer(other)).says(1, OperatingMode.NORMAL);
        assertThat(Verdicts.line(next(scene, Map.of()))).isEqualTo("wait: the node runs a transfer: backup-check");
    }

    @Test
    void a_node_that_left_or_was_replaced_has_not_done_it() {
        assertThat(line(uploading().record(1, NodeRecord::takenAway)))
                .isEqualTo("given up TASK_FAILED: rides/dc1/node-1 does not run: it leaves, or is being replaced");
        assertThat(line(Scene.declared(SPEC)))
                .isEqualTo("given up TASK_FAILED: rides/dc1/node-1 is not a part of the cluster any more");
        Scene replaced = uploading().record(1, r -> r.replacedAt(elsewhere(r), null, Scene.NOW));
        assertThat(replaced.view().nodes().get(Scene.node(1)).transfer()).isNull();
        assertThat(line(replaced))
                .isEqualTo("given up TASK_FAILED: rides/dc1/node-1 was replaced during its backup-upload");
    }

    private static Allocation elsewhere(NodeRecord record) {
        return new Allocation(
                new AllocationId("rides-dc1-node-1-2"),
                record.id(),
                new MachineName("machine-3"),
                record.allocation().ports(),
                record.allocation().resources());
    }

    @Test
    void a_transfer_that_no_plan_wants_is_taken_out_of_the_target() {
        Scene scene = uploading().plan(plan(PlanStatus.RUNNING));
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        assertThat(scene.view().nodes().get(Scene.node(1)).transfer()).isEqualTo(UPLOAD);
        scene.plan(plan(PlanStatus.ABORTED));
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        NodeRecord record = scene.view().nodes().get(Scene.node(1));
        assertThat(record.transfer()).isNull();
        assertThat(record.generation()).isEqualTo(3);
    }

    @Test
    void a_task_of_the_daemon_is_no_transfer_and_lost_files_are_not_declared_to_be_there() {
        assertThatThrownBy(() -> new RunTransfer(Scene.node(1), NodeTask.Kind.REPAIR, Map.of(), false))
                .hasMessage("repair is no transfer");
        Verdict forced = new RunTransfer(Scene.node(1), NodeTask.Kind.RESTORE_FETCH, Map.of(), true)
                .forced(Scene.live(SPEC).view());
        assertThat(Verdicts.line(forced)).startsWith("failed PLAN_STATE: rides/dc1/node-1 cannot be restored");
        assertThat(upload(false).forced(Scene.live(SPEC).view())).isInstanceOf(Verdict.Done.class);
    }
}
