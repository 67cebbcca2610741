package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthReplicationTest {
    private static Map<String, String> wanted(Map<String, String> before, Map<String, Integer> nodes) {
        return AuthReplication.wanted(before, nodes, Set.of("dc1", "dc2"));
    }

    @Test
    void each_datacenter_gets_three_replicas_or_one_for_each_node() {
        assertThat(wanted(Map.of(), Map.of("dc1", 5, "dc2", 2))).isEqualTo(Map.of("dc1", "3", "dc2", "2"));
    }

    @Test
    void replicas_that_users_chose_stay_while_there_are_nodes_for_them() {
        assertThat(wanted(Map.of("dc1", "5"), Map.of("dc1", 6))).isEqualTo(Map.of("dc1", "5"));
        assertThat(wanted(Map.of("dc1", "5"), Map.of("dc1", 4))).isEqualTo(Map.of("dc1", "3"));
    }

    @Test
    void other_datacenters_keep_their_replicas() {
        assertThat(wanted(Map.of("dc1", "1", "dc2", "2"), Map.of("dc1", 3))).isEqualTo(Map.of("dc1", "3", "dc2", "2"));
    }

    @Test
    void a_datacenter_that_has_left_the_ring_loses_its_replicas() {
        Map<String, String> before = Map.of("dc1", "3", "dc2", "2");
        assertThat(AuthReplication.wanted(before, Map.of("dc1", 3), Set.of("dc1")))
                .isEqualTo(Map.of("dc1", "3"));
        assertThat(AuthReplication.wanted(before, Map.of("dc1", 3, "dc2", 2), Set.of("dc1")))
                .as("one that is to get replicas, but is not there, is named in the refusal")
                .isEqualTo(before);
    }
}
