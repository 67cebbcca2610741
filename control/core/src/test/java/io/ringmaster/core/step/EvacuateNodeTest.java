package io.ringmaster.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvacuateNodeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final Step STEP = new EvacuateNode(Scene.node(1), new MachineName("machine-2"), true);

    private static String next(Scene scene) {
        return Verdicts.line(STEP.next(scene.view(), Map.of()));
    }

    private static Scene roomElsewhere() {
        return Scene.live(SPEC).settled().with(Samples.machine(4, "r2"));
    }

    @Test
    void a_living_node_is_stopped_when_all_others_are_well() {
        assertThat(next(roomElsewhere()))
                .isEqualTo("do {node-1 g2 v1 good1 joined launched}[Apply node-1 g2 v1]: drains and stops it");
        assertThat(next(roomElsewhere().says(2, OperatingMode.DOWN))).isEqualTo("wait: node-2 is DOWN: doing things");
    }

    @Test
    void a_node_with_no_room_elsewhere_goes_on_serving() {
        assertThat(next(Scene.live(SPEC).settled())).contains("NO_MACHINE_FITS", "machine-2: it is to be left");
    }

    @Test
    void one_that_is_stopped_or_dead_begins_anew_elsewhere() {
        assertThat(next(roomElsewhere().record(1, r -> r.running(false)).says(1, OperatingMode.DOWN)))
                .endsWith("begins anew on machine-4 in the place of 127.1.1.2:7000");
        assertThat(next(roomElsewhere().says(1, OperatingMode.DOWN))).contains("begins anew on machine-4");
    }

    @Test
    void one_that_is_stopped_is_not_replaced_before_others_see_it_down() {
        assertThat(next(roomElsewhere().record(1, r -> r.running(false)).silent(1)))
                .isEqualTo("wait: is drained: node-0 still sees node-1 alive");
    }

    @Test
    void what_is_elsewhere_already_is_left_alone() {
        Step step = new EvacuateNode(Scene.node(1), new MachineName("machine-9"), true);
        assertThat(Verdicts.line(step.next(roomElsewhere().view(), Map.of()))).isEqualTo("done {}: is on machine-2");
    }
}
