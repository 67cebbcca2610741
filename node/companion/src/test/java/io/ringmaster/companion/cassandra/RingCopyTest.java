package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.companion.CassandraParts;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the live object of Cassandra, with assertions, as in production. */
class RingCopyTest {
    private static final String DC = "datacenter1";

    private TokenMetadata live;
    private InetAddressAndPort[] nodes;

    @BeforeEach
    void three_nodes_with_two_tokens_each() throws UnknownHostException {
        CassandraParts.start();
        live = StorageService.instance.getTokenMetadata();
        nodes = new InetAddressAndPort[] {endpoint(1), endpoint(2), endpoint(3)};
        for (int i = 0; i < nodes.length; i++) {
            live.updateNormalTokens(List.of(new LongToken(100L * i), new LongToken(100L * i + 50)), nodes[i]);
        }
    }

    private static InetAddressAndPort endpoint(int number) throws UnknownHostException {
        return InetAddressAndPort.getByName("127.7.2." + number);
    }

    @AfterEach
    void clear() {
        live.clearUnsafe();
    }

    @Test
    void the_live_ring_is_read_where_its_topology_must_not_be() {
        assertThatThrownBy(() -> live.getTopology()).isInstanceOf(AssertionError.class);
        assertThat(RingCopy.now().nodes()).isEqualTo(Map.of(DC, 3));
        assertThat(RingCopy.now().ownersIn(DC)).hasSize(6).containsEntry(new LongToken(150), nodes[1]);
        assertThat(RingCopy.now().ownersIn("elsewhere")).isEmpty();
    }

    @Test
    void a_node_that_is_about_to_leave_stays_no_replica() {
        assertThat(RingCopy.afterAllLeft().othersIn(DC, nodes[0])).isEqualTo(2);
        live.addLeavingEndpoint(nodes[2]);
        assertThat(RingCopy.now().othersIn(DC, nodes[0])).isEqualTo(2);
        assertThat(RingCopy.afterAllLeft().othersIn(DC, nodes[0])).isEqualTo(1);
        live.addLeavingEndpoint(nodes[0]);
        assertThat(RingCopy.afterAllLeft().othersIn(DC, nodes[0]))
                .as("a second attempt to leave")
                .isEqualTo(1);
    }

    @Test
    void an_endpoint_whose_tokens_another_node_took_over_is_no_member() throws UnknownHostException {
        InetAddressAndPort replaced = endpoint(9);
        live.updateNormalToken(new LongToken(900), replaced);
        live.updateNormalTokens(List.of(new LongToken(0), new LongToken(50), new LongToken(900)), nodes[0]);
        assertThat(RingCopy.now().nodes()).isEqualTo(Map.of(DC, 3));
        assertThat(RingCopy.now().ownersIn(DC)).hasSize(7).containsEntry(new LongToken(900), nodes[0]);
        assertThatThrownBy(() -> live.getTokens(replaced)).isInstanceOf(AssertionError.class);
        assertThat(RingCopy.now().ownership(replaced)).isZero();
        assertThat(Stream.of(nodes).mapToDouble(RingCopy.now()::ownership).sum())
                .isCloseTo(1, within(1e-6));
    }
}
