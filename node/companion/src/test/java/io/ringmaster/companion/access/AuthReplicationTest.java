package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AuthReplicationTest {
    @Test
    void each_datacenter_gets_three_replicas_or_one_for_each_node() {
        assertThat(AuthReplication.wanted(Map.of(), Map.of("dc1", 5, "dc2", 2)))
                .isEqualTo(Map.of("dc1", "3", "dc2", "2"));
    }

    @Test
    void replicas_that_users_chose_stay_while_there_are_nodes_for_them() {
        assertThat(AuthReplication.wanted(Map.of("dc1", "5"), Map.of("dc1", 6))).isEqualTo(Map.of("dc1", "5"));
        assertThat(AuthReplication.wanted(Map.of("dc1", "5"), Map.of("dc1", 4))).isEqualTo(Map.of("dc1", "3"));
    }

    @Test
    void other_datacenters_keep_their_replicas() {
        assertThat(AuthReplication.wanted(Map.of("dc1", "1", "dc2", "2"), Map.of("dc1", 3)))
                .isEqualTo(Map.of("dc1", "3", "dc2", "2"));
    }
}
