package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.step.Verdicts;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.Preset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cleanup of node-0 waits for the nodes that took over its ranges. */
class CleanupCheckTest {
    private static String cleanup(Scene scene) {
        return Verdicts.line(next(RunTask.cleanupForSpec(Scene.node(0), Preset.DEVELOPMENT), scene, Map.of()));
    }

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2)).settled();
    }

    @Test
    void it_starts_once_every_node_is_normal_and_has_repaired_its_ranges() {
        assertThat(cleanup(live())).endsWith("requests cleanup");
    }

    @Test
    void it_waits_for_a_newcomer_that_is_down_or_joins() {
        assertThat(cleanup(live().says(2, OperatingMode.DOWN))).isEqualTo("wait: node-2 is DOWN: doing things");
        assertThat(cleanup(live().record(
                                2,
                                r -> NodeRecordBuilder.builder(r).joined(false).build())))
                .isEqualTo("wait: node-2 has not joined yet");
        assertThat(cleanup(live().record(2, r -> r.replacedAt(r.allocation(), "127.1.1.3:7000", Scene.NOW))))
                .isEqualTo("wait: node-2 is being replaced; no plan continues that:"
                        + " ringmaster node replace rides/dc1/node-2");
    }

    @Test
    void it_first_repairs_what_a_newcomer_owes_also_where_the_debt_arose_after_its_plan_was_made() {
        Scene scene = live().record(2, r -> r.owing(Scene.NOW));
        for (RunTask step : List.of(
                RunTask.cleanupForSpec(Scene.node(0), Preset.DEVELOPMENT),
                RunTask.requested(Scene.node(0), NodeTask.Kind.CLEANUP, Map.of(), true))) {
            assertThat(Verdicts.line(next(step, scene, Map.of()))).endsWith("node-2: requests repair");
        }
        assertThat(cleanup(scene.says(1, OperatingMode.DOWN)))
                .as("a range with a dead replica cannot be repaired")
                .isEqualTo("wait: node-1 is DOWN: doing things");
    }

    @Test
    void it_starts_after_that_repair_and_fails_with_it() {
        RunTask step = RunTask.cleanupForSpec(Scene.node(0), Preset.DEVELOPMENT);
        Scene scene = live().record(2, r -> r.owing(Scene.NOW));
        Verdict.Do asked = (Verdict.Do) next(step, scene, Map.of());
        assertThat(asked.memory())
                .as("a server of the former release would start the cleanup as this task")
                .doesNotContainKey("task")
                .containsEntry("transfer", "repair-node-2-2");
        scene.after(asked.changes()).says(2, OperatingMode.NORMAL).task(2, TaskStatus.State.RUNNING, "half");
        assertThat(Verdicts.line(next(step, scene, asked.memory()))).startsWith("wait: node-2: repair: ");
        scene.task(2, TaskStatus.State.FAILED, "a replica died");
        assertThat(Verdicts.line(next(step, scene, asked.memory())))
                .startsWith("failed TASK_FAILED: repair of rides/dc1/node-2 failed");
        scene.task(2, TaskStatus.State.DONE, "4 ranges repaired");
        Verdict.Do repaired = (Verdict.Do) next(step, scene, asked.memory());
        scene.after(repaired.changes()).says(2, OperatingMode.NORMAL);
        assertThat(Verdicts.line(next(step, scene, repaired.memory()))).endsWith("requests cleanup");
    }

    private static Verdict next(RunTask step, Scene scene, Map<String, String> memory) {
        return step.next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, memory);
    }
}
