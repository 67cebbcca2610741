package io.ringmaster.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenRingTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");

    private static Replica node(String name, DatacenterName datacenter, long token, String rack) {
        Replica replica = new Replica(name, datacenter);
        replica.startsWith(List.of(token), new RackName(rack));
        return replica;
    }

    private static List<String> replicas(TokenRing ring, long token, Map<DatacenterName, Integer> replication) {
        return ring.replicas(token, replication).stream().map(Replica::toString).toList();
    }

    @Test
    void the_owner_of_a_token_has_the_next_token_and_the_ring_is_closed() {
        TokenRing ring = new TokenRing(List.of(node("a", DC1, 0, "r1"), node("b", DC1, 100, "r1")));
        assertThat(replicas(ring, 0, Map.of(DC1, 1))).containsExactly("a");
        assertThat(replicas(ring, 1, Map.of(DC1, 1))).containsExactly("b");
        assertThat(replicas(ring, 100, Map.of(DC1, 1))).containsExactly("b");
        assertThat(replicas(ring, 101, Map.of(DC1, 1))).containsExactly("a");
    }

    @Test
    void each_rack_has_one_replica_if_there_are_enough_racks() {
        TokenRing ring = new TokenRing(List.of(
                node("a", DC1, 0, "r1"),
                node("b", DC1, 10, "r1"),
                node("c", DC1, 20, "r2"),
                node("d", DC1, 30, "r2"),
                node("e", DC1, 40, "r3")));
        assertThat(replicas(ring, 0, Map.of(DC1, 3))).containsExactly("a", "c", "e");
        assertThat(replicas(ring, 25, Map.of(DC1, 3))).containsExactly("d", "e", "a");
    }

    @Test
    void a_rack_has_several_replicas_if_there_are_too_few_racks() {
        TokenRing ring = new TokenRing(List.of(
                node("a", DC1, 0, "r1"), node("b", DC1, 10, "r1"), node("c", DC1, 20, "r1"), node("d", DC1, 30, "r2")));
        assertThat(replicas(ring, 0, Map.of(DC1, 3))).containsExactly("a", "b", "d");
    }

    @Test
    void each_datacenter_has_its_own_replicas_and_no_more_than_nodes() {
        TokenRing ring =
                new TokenRing(List.of(node("a", DC1, 0, "r1"), node("b", DC2, 1, "r1"), node("c", DC1, 2, "r2")));
        assertThat(replicas(ring, 1, Map.of(DC1, 3, DC2, 1))).containsExactly("b", "c", "a");
        assertThat(replicas(ring, 1, Map.of(DC1, 1))).containsExactly("c");
    }

    @Test
    void of_two_nodes_with_one_token_the_later_one_owns_it() {
        TokenRing ring = new TokenRing(List.of(node("dead", DC1, 0, "r1"), node("replacement", DC1, 0, "r2")));
        assertThat(replicas(ring, 0, Map.of(DC1, 3))).containsExactly("replacement");
    }
}
