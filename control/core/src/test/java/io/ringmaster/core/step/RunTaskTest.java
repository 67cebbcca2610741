package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunTaskTest {
    /** Since when node-1 owes a repair after this task. */
    private static @Nullable Instant owesAfter(NodeTask.Kind kind) {
        Scene scene = Scene.live(Samples.spec("rides", 3, 2)).settled();
        RunTask step = RunTask.requested(Scene.node(1), kind, Map.of(), false);
        Verdict.Do asked = (Verdict.Do) step.next(scene.view(), ONE_AT_A_TIME, Map.of());
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.DONE, "1 keyspace");
        Verdict.Done done = (Verdict.Done) step.next(scene.later(60).view(), ONE_AT_A_TIME, asked.memory());
        return scene.after(done.changes()).view().nodes().get(Scene.node(1)).owesRepairSince();
    }

    @Test
    void a_node_that_was_rebuilt_owes_a_repair_also_if_its_plan_is_aborted_then() {
        assertThat(owesAfter(NodeTask.Kind.REBUILD)).isEqualTo(Scene.NOW.plusSeconds(60));
        assertThat(owesAfter(NodeTask.Kind.COMPACT)).isNull();
    }

    private static final VolumeUse MEASURED = new VolumeUse(0, 0, 0, 0);

    /** What clearing the snapshots of node-1 does first. */
    private static String clears(Scene scene) {
        RunTask step = RunTask.requested(Scene.node(1), NodeTask.Kind.CLEAR_SNAPSHOTS, Map.of(), false);
        return Verdicts.line(step.next(scene.volume(1, MEASURED).view(), ONE_AT_A_TIME, Map.of()));
    }

    @Test
    void snapshots_are_cleared_by_executors_that_know_how() {
        RunTask step = RunTask.requested(Scene.node(1), NodeTask.Kind.CLEAR_SNAPSHOTS, Map.of(), false);
        assertThat(Verdicts.line(
                        step.next(Scene.live(Samples.spec("rides", 3, 2)).view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: its executor has not measured the volume yet, or is of an earlier release");
    }

    private static Scene runs(NodeTask.Kind kind) {
        return Scene.live(Samples.spec("rides", 3, 2))
                .settled()
                .record(1, r -> r.withTask(new NodeTask("other", kind, Map.of())))
                .says(1, OperatingMode.NORMAL);
    }

    @Test
    void snapshots_are_cleared_while_a_spec_is_at_work_and_another_node_is_down() {
        assertThat(clears(Scene.live(Samples.spec("rides", 3, 2)).says(2, OperatingMode.DOWN)))
                .endsWith(": requests clear-snapshots");
    }

    @Test
    void clearing_snapshots_interrupts_a_repair_and_waits_for_any_other_task_of_its_node() {
        assertThat(clears(runs(NodeTask.Kind.REPAIR))).endsWith(": requests clear-snapshots");
        assertThat(clears(runs(NodeTask.Kind.COMPACT))).isEqualTo("wait: the node runs a task: compact");
        assertThat(clears(Scene.live(Samples.spec("rides", 3, 2)).says(1, OperatingMode.DOWN)))
                .isEqualTo("wait: node-1 is DOWN: doing things");
        assertThat(clears(Scene.live(Samples.spec("rides", 3, 2)).record(1, r -> r.leave(null))))
                .isEqualTo("wait: node-1 is leaving the ring");
    }

    @Test
    void a_repair_that_was_interrupted_to_clear_snapshots_continues() {
        Scene scene = runs(NodeTask.Kind.REPAIR).volume(1, MEASURED);
        RunTask repair = RunTask.requested(Scene.node(1), NodeTask.Kind.REPAIR, Map.of(), false);
        RunTask clear = RunTask.requested(Scene.node(1), NodeTask.Kind.CLEAR_SNAPSHOTS, Map.of(), false);
        Verdict.Do asked = (Verdict.Do) clear.next(scene.view(), ONE_AT_A_TIME, Map.of());
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL);
        Map<String, String> memory = Map.of(NodeTasks.TASK, "other");
        assertThat(Verdicts.line(repair.next(scene.view(), ONE_AT_A_TIME, memory)))
                .isEqualTo("wait: the node runs a task: clear-snapshots");
        scene.task(1, TaskStatus.State.DONE, "no snapshot to clear");
        Verdict.Done done = (Verdict.Done) clear.next(scene.view(), ONE_AT_A_TIME, asked.memory());
        scene.after(done.changes()).says(1, OperatingMode.NORMAL);
        assertThat(Verdicts.line(repair.next(scene.view(), ONE_AT_A_TIME, memory)))
                .endsWith(": requests repair");
    }

    /** Whether the keyspaces lose their replicas in dc1, which the spec no longer names. */
    private static String removal(Scene scene) {
        return Verdicts.line(RunTask.removeReplicas(Scene.node(2)).next(scene.view(), ONE_AT_A_TIME, Map.of()));
    }

    private static Scene leaving() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2);
        return Scene.live(both)
                .version(both.withDatacenters(both.datacenters().subList(1, 2)))
                .peer(3, 1, 1, true, null);
    }

    @Test
    void a_datacenter_keeps_its_replicas_while_clients_are_connected_unless_by_force() {
        assertThat(removal(leaving())).startsWith("do ");
        Scene scene = leaving().client(0, "10.1.0.4", 2);
        assertThat(removal(scene))
                .isEqualTo("wait: datacenters.dc1: 1 client is connected there: 10.1.0.4 as anna with a driver 4.1"
                        + " (2 connections) -> move them to another datacenter, or apply the spec with --force");
        assertThat(removal(scene.forced())).startsWith("do ");
    }

    @Test
    void a_datacenter_keeps_its_replicas_until_each_node_that_may_serve_has_reported_its_clients() {
        assertThat(removal(leaving().silent(1))).isEqualTo("wait: node-1: its executor does not answer");
        assertThat(removal(leaving().says(1, OperatingMode.STARTING)))
                .isEqualTo("wait: node-1 is STARTING: doing things");
        assertThat(removal(leaving().says(1, OperatingMode.DOWN))).startsWith("do ");
    }
}
