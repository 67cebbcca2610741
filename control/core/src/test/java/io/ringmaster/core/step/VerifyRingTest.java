package io.ringmaster.core.step;

import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.node.ClientAccess.AWAITS_CREATION;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static io.ringmaster.model.node.OperatingMode.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.record.NodeRecord;
import org.junit.jupiter.api.Test;

class VerifyRingTest {
    /** Three members that do not see each other yet. */
    private static Scene members() {
        Scene scene = Scene.placed(Samples.spec("rides", 3, 2));
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven())
                    .claim(i, RUNNING)
                    .access(i, AWAITS_CREATION)
                    .says(i, NORMAL);
        }
        return scene;
    }

    private static Verdict forced(Scene scene) {
        return new VerifyRing(Scene.RIDES, 1).forced(scene.view());
    }

    private static String refusal(Scene scene) {
        return ((Verdict.Failed) forced(scene)).problem().line();
    }

    @Test
    void a_ring_is_declared_complete_only_while_no_node_starts_or_is_about_to() {
        assertThat(forced(members())).isInstanceOf(Verdict.Done.class);
        assertThat(refusal(members().says(1, STARTING, 2, 1, 0)))
                .contains("CQL stays closed: node-1 is STARTING", "it would go down again", "every node is NORMAL");
        assertThat(refusal(members().record(1, NodeRecord::restart)))
                .contains("node-1 has not taken its newest target yet; it would go down again");
    }
}
