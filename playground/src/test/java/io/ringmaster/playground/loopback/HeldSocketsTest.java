package io.ringmaster.playground.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** On this computer, with the last blocks of each kind, which no playground takes before all others. */
class HeldSocketsTest {
    private static final LoopbackBlock LAST = new LoopbackBlock(63, false);
    private static final LoopbackBlock LAST_MOVING = new LoopbackBlock(8, true);

    @Test
    void of_two_starts_one_gets_the_block_and_the_other_another() {
        try (var one = new HeldSockets();
                var other = new HeldSockets()) {
            assertThat(one.block(LAST)).isTrue();
            assertThat(other.block(LAST)).isFalse();
            assertThat(ListeningSockets.addresses()).contains("127.63.0.254");
            LoopbackBlock first = one.firstBlock(false).orElseThrow();
            assertThat(other.firstBlock(false)).isPresent().get().isNotEqualTo(first);
        }
    }

    @Test
    void the_block_stays_taken_while_a_server_holds_it() {
        try (var next = new HeldSockets()) {
            try (var server = new HeldSockets()) {
                try (var start = new HeldSockets()) {
                    assertThat(start.block(LAST_MOVING)).isTrue();
                    assertThat(server.server(LAST_MOVING.server(1))).isTrue();
                    assertThat(server.server(LAST_MOVING.server(1))).as("again").isTrue();
                    assertThat(start.server(LAST_MOVING.server(1))).isFalse();
                }
                assertThat(next.block(LAST_MOVING)).isFalse();
            }
            assertThat(next.block(LAST_MOVING)).isTrue();
        }
    }

    @Test
    void a_node_without_servers_keeps_its_block() throws Exception {
        try (var next = new HeldSockets()) {
            try (var node = new ServerSocket(0, 1, InetAddress.getByName("127.62.1.1"))) {
                assertThat(node.isBound()).isTrue();
                assertThat(next.block(new LoopbackBlock(62, false))).isFalse();
            }
            assertThat(next.block(new LoopbackBlock(62, false))).isTrue();
        }
    }

    @Test
    void ports_of_servers_and_networks_belong_to_one_start() {
        try (var other = new HeldSockets()) {
            try (var one = new HeldSockets()) {
                assertThat(one.serverPort(28_080)).isTrue();
                assertThat(other.serverPort(28_080)).isFalse();
                assertThat(other.serverPort(28_081)).isTrue();
                assertThat(one.network(126)).isTrue();
                assertThat(other.network(126)).isFalse();
            }
            assertThat(other.network(126)).isTrue();
        }
    }
}
