package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeavingTaskTest {
    @Test
    void a_keyspace_without_replicas_in_a_datacenter_that_stays_is_refused() {
        LeavingTask.requireStaying("trips", Set.of("dc1", "dc3"), List.of("dc1", "dc2"));
        assertThatThrownBy(() -> LeavingTask.requireStaying("trips", Set.of("dc3"), List.of("dc1", "dc2")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("keyspace trips has no replicas in dc1, dc2 and would be lost");
    }

    @Test
    void the_datacenters_that_stay_are_required() {
        assertThatThrownBy(() -> new LeavingTask(Map.of("staying", " "))).hasMessageContaining("staying is empty");
    }
}
