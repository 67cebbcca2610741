package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.NodeTask;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TaskTypesTest {
    @Test
    void every_kind_of_the_model_has_a_body() {
        assertThat(TaskTypes.kinds())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(NodeTask.Kind.values()).map(Enum::name).toList());
    }
}
