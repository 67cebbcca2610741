package io.ringmaster.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snapshots of a backup as tasks of the nodes. */
class BackupSnapshotTest {
    private static final String ID = "20260101T120000Z-3f9c";

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2, 3, 2)).settled().peer(3, 1, 1, true, null);
    }

    private static NodeTask task(NodeTask.Kind kind) {
        return new NodeTask("other-1", kind, Map.of());
    }

    private static Verdict snapshot(Scene scene, Map<String, String> memory) {
        return RunTask.requested(Scene.node(0), NodeTask.Kind.BACKUP_SNAPSHOT, Map.of("backup", ID), false)
                .next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, memory);
    }

    private static String line(Scene scene) {
        return Verdicts.line(snapshot(scene, Map.of()));
    }

    @Test
    void no_node_takes_its_snapshot_before_all_can() {
        assertThat(line(live())).endsWith("requests backup-snapshot");
        assertThat(line(live().says(2, OperatingMode.DOWN))).isEqualTo("wait: node-2 is DOWN: doing things");
        assertThat(line(live().peerNode(1, OperatingMode.STARTING))).isEqualTo("wait: dc2 node-1 is STARTING: busy");
    }

    @Test
    void a_node_that_takes_its_snapshot_already_holds_up_no_other() {
        Scene one = live().record(1, r -> r.withTask(task(NodeTask.Kind.BACKUP_SNAPSHOT)));
        assertThat(line(one)).endsWith("requests backup-snapshot");
    }

    @Test
    void a_repair_is_interrupted_and_any_other_task_is_not() {
        Scene repairs =
                live().record(0, r -> r.withTask(task(NodeTask.Kind.REPAIR))).says(0, OperatingMode.NORMAL);
        assertThat(line(repairs)).endsWith("requests backup-snapshot");
        Scene compacts =
                live().record(1, r -> r.withTask(task(NodeTask.Kind.COMPACT))).says(1, OperatingMode.NORMAL);
        assertThat(line(compacts)).isEqualTo("wait: node-1 runs a task: compact");
    }

    @Test
    void a_failed_snapshot_ends_the_plan_so_that_it_releases_the_lock() {
        Verdict.Do asked = (Verdict.Do) snapshot(live(), Map.of());
        Scene failed = live().after(asked.changes())
                .says(0, OperatingMode.NORMAL)
                .task(0, TaskStatus.State.FAILED, "the disk has 4 % free");
        assertThat(Verdicts.line(snapshot(failed, asked.memory())))
                .isEqualTo("given up TASK_FAILED: backup-snapshot of rides/dc1/node-0 failed: the disk has 4 % free");
    }
}
