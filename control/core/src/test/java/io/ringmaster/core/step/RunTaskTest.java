package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
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
}
