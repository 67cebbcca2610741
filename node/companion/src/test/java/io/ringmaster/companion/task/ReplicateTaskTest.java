package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicateTaskTest {
    private static final Set<String> RING = Set.of("dc1", "dc2", "dc3");

    private static Map<String, String> replicas(Map<String, String> options, String datacenter, int nodes) {
        return ReplicateTask.replicas(options, datacenter, nodes, RING);
    }

    @Test
    void a_new_datacenter_gets_as_many_replicas_as_the_datacenter_with_the_most() {
        assertThat(replicas(Map.of("dc1", "3", "dc2", "2"), "dc3", 5))
                .isEqualTo(Map.of("dc1", "3", "dc2", "2", "dc3", "3"));
    }

    @Test
    void a_datacenter_gets_at_most_one_replica_per_node() {
        assertThat(replicas(Map.of("dc1", "3/1"), "dc2", 2)).isEqualTo(Map.of("dc1", "3/1", "dc2", "2"));
    }

    @Test
    void replicas_that_a_user_set_for_the_datacenter_stay() {
        assertThat(replicas(Map.of("dc1", "3", "dc2", "1"), "dc2", 3)).isEqualTo(Map.of("dc1", "3", "dc2", "1"));
    }

    @Test
    void a_leaving_datacenter_keeps_only_keyspaces_without_other_replicas() {
        assertThat(replicas(Map.of("dc1", "3", "dc2", "3"), "dc2", 0)).isEqualTo(Map.of("dc1", "3"));
        assertThat(replicas(Map.of("dc2", "3"), "dc2", 0)).isEqualTo(Map.of("dc2", "3"));
    }

    @Test
    void a_leaving_datacenter_keeps_one_replica_of_roles_so_that_one_node_is_enough_for_EACH_QUORUM() {
        assertThat(ReplicateTask.ofRolesUntilLeft(Map.of("dc1", "3", "dc2", "2"), "dc2", RING))
                .isEqualTo(Map.of("dc1", "3", "dc2", "1"));
        assertThat(ReplicateTask.ofRolesUntilLeft(Map.of("dc1", "3"), "dc2", RING))
                .as("users took it out")
                .isEqualTo(Map.of("dc1", "3"));
    }

    @Test
    void a_datacenter_that_has_left_is_not_named_again() {
        Map<String, String> options = Map.of("dc1", "2", "gone", "3");
        assertThat(replicas(options, "dc2", 3)).isEqualTo(Map.of("dc1", "2", "dc2", "2"));
        assertThat(replicas(Map.of("dc1", "2", "dc2", "2", "gone", "3"), "dc2", 0))
                .isEqualTo(Map.of("dc1", "2"));
        assertThat(ReplicateTask.ofRolesUntilLeft(Map.of("dc1", "2", "dc2", "2", "gone", "3"), "dc2", RING))
                .isEqualTo(Map.of("dc1", "2", "dc2", "1"));
        assertThat(replicas(options, "dc1", 3)).as("nothing is to be altered").isEqualTo(options);
        assertThat(replicas(Map.of("gone", "3"), "dc2", 3))
                .as("its rows are lost, which an ALTER would hide")
                .isEqualTo(Map.of("gone", "3"));
    }

    @Test
    void the_last_replicas_of_a_keyspace_are_not_removed() {
        for (Set<String> datacenters : List.of(Set.of("dc2"), Set.of("dc2", "gone"))) {
            assertThatThrownBy(() -> ReplicateTask.requireOthers("trips", datacenters, "dc2", RING))
                    .hasMessage("keyspace trips has replicas only in dc2 and would be lost");
        }
        ReplicateTask.requireOthers("trips", Set.of("dc1", "dc2"), "dc2", RING);
        ReplicateTask.requireOthers("without_datacenters", Set.of(), "dc2", RING);
    }

    @Test
    void missing_arguments_are_named() {
        assertThatThrownBy(() -> new ReplicateTask(Map.of("datacenter", "dc2"))).hasMessageContaining("nodes");
    }
}
