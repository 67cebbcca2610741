package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Verdicts;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.Preset;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cleanup of node-0 waits for the nodes that took over its ranges. */
class CleanupCheckTest {
    private static String cleanup(Scene scene) {
        return Verdicts.line(RunTask.cleanupForSpec(Scene.node(0), Preset.DEVELOPMENT)
                .next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of()));
    }

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2)).settled();
    }

    @Test
    void it_starts_once_every_node_is_normal_and_has_repaired_its_ranges() {
        assertThat(cleanup(live())).endsWith("requests cleanup");
    }

    @Test
    void it_waits_for_a_newcomer_that_is_down_joins_or_has_not_repaired() {
        assertThat(cleanup(live().says(2, OperatingMode.DOWN))).isEqualTo("wait: node-2 is DOWN: doing things");
        assertThat(cleanup(live().record(
                                2,
                                r -> NodeRecordBuilder.builder(r).joined(false).build())))
                .isEqualTo("wait: node-2 has not joined yet");
        assertThat(cleanup(live().record(2, r -> r.replacedAt(r.allocation(), "127.1.1.3:7000", Scene.NOW))))
                .isEqualTo("wait: node-2 is being replaced");
        assertThat(cleanup(live().record(2, r -> r.owing(Scene.NOW))))
                .isEqualTo("wait: node-2 owes a repair of its ranges");
    }

    @Test
    void a_requested_cleanup_waits_too() {
        Scene scene = live().record(2, r -> r.owing(Scene.NOW));
        assertThat(Verdicts.line(RunTask.requested(Scene.node(0), NodeTask.Kind.CLEANUP, Map.of(), true)
                        .next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-2 owes a repair of its ranges");
    }
}
