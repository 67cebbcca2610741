package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicateWorkTest {
    @Test
    void a_new_datacenter_keeps_as_many_replicas_as_the_one_with_most() {
        assertThat(ReplicateWork.replicas(Map.of("dc1", "3", "dc2", "2"), "dc3", 5))
                .isEqualTo(Map.of("dc1", "3", "dc2", "2", "dc3", "3"));
    }

    @Test
    void no_more_replicas_than_nodes() {
        assertThat(ReplicateWork.replicas(Map.of("dc1", "3/1"), "dc2", 2)).isEqualTo(Map.of("dc1", "3/1", "dc2", "2"));
    }

    @Test
    void what_a_user_has_chosen_for_the_datacenter_stays() {
        assertThat(ReplicateWork.replicas(Map.of("dc1", "3", "dc2", "1"), "dc2", 3))
                .isEqualTo(Map.of("dc1", "3", "dc2", "1"));
    }

    @Test
    void a_datacenter_that_leaves_keeps_nothing_but_what_is_kept_nowhere_else() {
        assertThat(ReplicateWork.replicas(Map.of("dc1", "3", "dc2", "3"), "dc2", 0))
                .isEqualTo(Map.of("dc1", "3"));
        assertThat(ReplicateWork.replicas(Map.of("dc2", "3"), "dc2", 0)).isEqualTo(Map.of("dc2", "3"));
    }

    @Test
    void arguments_that_are_missing_are_named() {
        assertThatThrownBy(() -> new ReplicateWork(Map.of("datacenter", "dc2"))).hasMessageContaining("nodes");
    }
}
