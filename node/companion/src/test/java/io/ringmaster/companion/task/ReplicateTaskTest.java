package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicateTaskTest {
    @Test
    void a_new_datacenter_gets_as_many_replicas_as_the_datacenter_with_the_most() {
        assertThat(ReplicateTask.replicas(Map.of("dc1", "3", "dc2", "2"), "dc3", 5))
                .isEqualTo(Map.of("dc1", "3", "dc2", "2", "dc3", "3"));
    }

    @Test
    void a_datacenter_gets_at_most_one_replica_per_node() {
        assertThat(ReplicateTask.replicas(Map.of("dc1", "3/1"), "dc2", 2)).isEqualTo(Map.of("dc1", "3/1", "dc2", "2"));
    }

    @Test
    void replicas_that_a_user_set_for_the_datacenter_stay() {
        assertThat(ReplicateTask.replicas(Map.of("dc1", "3", "dc2", "1"), "dc2", 3))
                .isEqualTo(Map.of("dc1", "3", "dc2", "1"));
    }

    @Test
    void a_leaving_datacenter_keeps_only_keyspaces_without_other_replicas() {
        assertThat(ReplicateTask.replicas(Map.of("dc1", "3", "dc2", "3"), "dc2", 0))
                .isEqualTo(Map.of("dc1", "3"));
        assertThat(ReplicateTask.replicas(Map.of("dc2", "3"), "dc2", 0)).isEqualTo(Map.of("dc2", "3"));
    }

    @Test
    void the_replication_of_roles_is_left_alone_because_it_must_name_every_datacenter_with_a_member() {
        assertThat(ReplicateTask.mustNameMembers("system_auth")).isTrue();
        assertThat(ReplicateTask.mustNameMembers("trips")).isFalse();
    }

    @Test
    void the_last_replicas_of_a_keyspace_are_not_removed() {
        assertThatThrownBy(() -> ReplicateTask.requireOthers("trips", Set.of("dc2"), "dc2"))
                .hasMessage("keyspace trips has replicas only in dc2 and would be lost");
        ReplicateTask.requireOthers("trips", Set.of("dc1", "dc2"), "dc2");
        ReplicateTask.requireOthers("without_datacenters", Set.of(), "dc2");
    }

    @Test
    void missing_arguments_are_named() {
        assertThatThrownBy(() -> new ReplicateTask(Map.of("datacenter", "dc2"))).hasMessageContaining("nodes");
    }
}
