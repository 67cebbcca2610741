package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.NodeTask;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTypesTest {
    @Test
    void every_kind_that_runs_in_the_daemon_has_a_body() {
        assertThat(TaskTypes.kinds())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(NodeTask.Kind.values())
                        .filter(k -> k.runsIn() == NodeTask.Place.DAEMON)
                        .map(Enum::name)
                        .toList());
    }

    @Test
    void a_datacenter_that_leaves_compares_what_stays() {
        assertThat(TaskTypes.of("COMPARE", Map.of("staying", "dc1,dc3"))).isInstanceOf(LeavingTask.class);
        assertThat(TaskTypes.of("COMPARE", Map.of("from", "dc1"))).isInstanceOf(CompareTask.class);
    }
}
