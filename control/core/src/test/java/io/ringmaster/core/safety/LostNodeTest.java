package io.ringmaster.core.safety;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.Verdicts;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A Cassandra that hangs: its executor answers with the ring that it reported last. */
class LostNodeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    /** @param scene what the others see of node-1 */
    private static View hung(Scene scene) {
        View view = scene.view();
        NodeStatus before = Scene.live(SPEC).view().status(Scene.node(1)).orElseThrow();
        NodeStatus now = NodeStatusBuilder.builder(view.status(Scene.node(1)).orElseThrow())
                .ring(before.ring())
                .build();
        return ViewBuilder.builder(view)
                .statuses(view.statuses().plus(Scene.node(1), new Observation<>(now, Scene.NOW, null)))
                .build();
    }

    private static View seenDown() {
        return hung(repaired().says(1, OperatingMode.UNKNOWN));
    }

    private static View seenAlive() {
        return hung(repaired().pauses(1, OperatingMode.UNKNOWN));
    }

    /** Its last repair may not have ended. */
    private static Scene repaired() {
        return Scene.live(SPEC)
                .settled()
                .record(1, r -> r.withTask(new NodeTask("repair", NodeTask.Kind.REPAIR, Map.of()))
                        .withTask(null))
                .says(1, OperatingMode.NORMAL);
    }

    private static NodeRecord node(View view) {
        return Objects.requireNonNull(view.nodes().get(Scene.node(1)));
    }

    @Test
    void a_hung_node_that_others_see_down_is_down_whatever_it_saw_itself_before() {
        assertThat(LostNode.whyUp(seenDown(), node(seenDown()))).isEmpty();
        assertThat(RepairCheck.blocked(seenDown(), Scene.node(0)))
                .as("it holds up no repair")
                .isEmpty();
        assertThat(Verdicts.line(new ReplaceNode(Scene.node(1), false).next(seenDown(), ONE_AT_A_TIME, Map.of())))
                .contains("starts a replacement");
    }

    @Test
    void its_own_ring_shows_nobody_that_it_is_down() {
        View alone = hung(Scene.live(SPEC)
                .settled()
                .says(1, OperatingMode.UNKNOWN)
                .silent(0)
                .silent(2));
        assertThat(LostNode.isSeenDown(alone, node(alone))).isFalse();
        assertThat(LostNode.whyUp(alone, node(alone)))
                .contains("node-1 may be up: its executor answers, and no other node reports a ring with it");
    }

    @Test
    void a_hung_node_that_others_see_alive_is_up() {
        assertThat(LostNode.whyUp(seenAlive(), node(seenAlive()))).contains("node-0 still sees node-1 alive");
        assertThat(RepairCheck.blocked(seenAlive(), Scene.node(0)))
                .contains("node-1 is UNKNOWN: doing things; it may still repair");
    }

    @Test
    void a_silent_node_whose_machine_is_away_is_lost_only_if_another_node_sees_it_down() {
        View seen = withoutItsMachine().view();
        assertThat(LostNode.of(seen, node(seen))).isTrue();
        View unseen = withoutItsMachine().silent(0).silent(2).view();
        assertThat(LostNode.of(unseen, node(unseen))).isFalse();
    }

    private static Scene withoutItsMachine() {
        return repaired()
                .without(Samples.machine(2, "r2"))
                .says(1, OperatingMode.DOWN)
                .silent(1);
    }
}
