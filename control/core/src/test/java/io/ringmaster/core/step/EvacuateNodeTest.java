package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvacuateNodeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final Step STEP = new EvacuateNode(Scene.node(1), new MachineName("machine-2"), true);

    private static String next(Scene scene) {
        return Verdicts.line(STEP.next(scene.view(), ONE_AT_A_TIME, Map.of()));
    }

    private static Scene roomElsewhere() {
        return Scene.live(SPEC).settled().with(Samples.machine(4, "r2"));
    }

    private static Scene aside(Scene scene) {
        return scene.record(1, NodeRecord::evacuate).says(1, OperatingMode.DOWN);
    }

    @Test
    void a_live_node_is_stopped_when_all_others_are_healthy() {
        assertThat(next(roomElsewhere()))
                .isEqualTo(
                        "do {node-1 g2 v1 good1 joined launched evacuating}[Apply node-1 g2 v1]: drains and stops it");
        assertThat(next(roomElsewhere().says(2, OperatingMode.DOWN))).isEqualTo("wait: node-2 is DOWN: doing things");
    }

    @Test
    void without_room_elsewhere_it_changes_nothing_and_releases_the_lock() {
        assertThat(next(Scene.live(SPEC).settled()))
                .startsWith("given up NO_MACHINE_FITS")
                .contains("machine-2: it is being evacuated", "machine-1: rack: the node must stay in r2");
    }

    @Test
    void a_stopped_node_is_replaced_on_another_machine() {
        assertThat(next(aside(roomElsewhere()))).endsWith("starts a replacement on machine-4 for 127.1.1.2:7000");
        assertThat(next(aside(Scene.live(SPEC).settled()))).startsWith("given up NO_MACHINE_FITS");
    }

    @Test
    void a_stopped_node_is_started_again_when_another_goes_down_meanwhile() {
        assertThat(next(aside(roomElsewhere()).says(2, OperatingMode.DOWN)))
                .isEqualTo("do {node-1 g3 v1 good1 joined launched}[Apply node-1 g3 v1]: "
                        + "starts it again where it was: node-2 is DOWN: doing things");
    }

    @Test
    void a_lost_node_is_only_replaced_and_a_node_that_returns_without_help_is_waited_for() {
        assertThat(next(roomElsewhere().says(1, OperatingMode.DOWN).silent(1)))
                .contains("starts a replacement on machine-4");
        assertThat(next(roomElsewhere().says(1, OperatingMode.DOWN))).isEqualTo("wait: node-1 is DOWN: doing things");
    }

    @Test
    void a_stopped_node_is_not_replaced_before_others_see_it_down() {
        assertThat(next(aside(roomElsewhere()).says(1, OperatingMode.NORMAL).silent(1)))
                .isEqualTo("wait: until all nodes see it down: node-0 still sees node-1 alive");
    }

    @Test
    void a_node_on_another_machine_is_not_changed() {
        Step step = new EvacuateNode(Scene.node(1), new MachineName("machine-9"), true);
        assertThat(Verdicts.line(step.next(roomElsewhere().view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("done {}: is on machine-2");
    }
}
