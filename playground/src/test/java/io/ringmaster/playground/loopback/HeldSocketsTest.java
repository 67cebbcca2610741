package io.ringmaster.playground.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On this computer, in random blocks, because tests of another checkout may run at the same time. */
class HeldSocketsTest {
    /** Holds any free block but those that playgrounds take first. */
    private static LoopbackBlock any(HeldSockets held, boolean moving) {
        List<LoopbackBlock> all = new ArrayList<>(LoopbackBlock.all(moving));
        all.subList(0, all.size() / 2).clear();
        Collections.shuffle(all);
        return all.stream().filter(held::block).findFirst().orElseThrow();
    }

    @Test
    void of_two_starts_one_gets_the_block_and_the_other_another() {
        try (var one = new HeldSockets();
                var other = new HeldSockets()) {
            LoopbackBlock block = any(one, false);
            assertThat(other.block(block)).isFalse();
            LoopbackBlock first = one.firstBlock(false).orElseThrow();
            assertThat(other.firstBlock(false)).isPresent().get().isNotEqualTo(first);
        }
    }

    @Test
    void an_address_that_is_not_in_use_and_cannot_be_listened_at_is_a_failure() {
        try (var held = new HeldSockets()) {
            assertThatThrownBy(() -> held.server("203.0.113.1"))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("cannot listen at 203.0.113.1:6999: ")
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    @Test
    void the_block_stays_taken_while_a_server_holds_it() {
        try (var next = new HeldSockets()) {
            LoopbackBlock block;
            try (var server = new HeldSockets()) {
                try (var start = new HeldSockets()) {
                    block = any(start, true);
                    assertThat(server.server(block.server(1))).isTrue();
                    assertThat(server.server(block.server(1))).as("again").isTrue();
                    assertThat(start.server(block.server(1))).isFalse();
                }
                assertThat(next.block(block)).isFalse();
            }
            assertThat(next.block(block)).isTrue();
        }
    }

    @Test
    void a_node_without_servers_keeps_its_block() throws Exception {
        try (var next = new HeldSockets()) {
            LoopbackBlock block;
            try (var start = new HeldSockets()) {
                block = any(start, false);
            }
            try (var node = new ServerSocket(0, 1, InetAddress.getByName(block.machine(1, 1)))) {
                assertThat(node.isBound()).isTrue();
                assertThat(next.block(block)).isFalse();
            }
            assertThat(next.block(block)).isTrue();
        }
    }

    @Test
    void ports_of_servers_and_networks_belong_to_one_start() {
        try (var other = new HeldSockets()) {
            int port;
            int network;
            try (var one = new HeldSockets()) {
                port = IntStream.range(28_080, 29_000)
                        .filter(one::serverPort)
                        .findFirst()
                        .orElseThrow();
                network = IntStream.range(128, 255)
                        .filter(one::network)
                        .findFirst()
                        .orElseThrow();
                assertThat(other.serverPort(port)).isFalse();
                assertThat(other.network(network)).isFalse();
            }
            assertThat(other.serverPort(port)).isTrue();
            assertThat(other.network(network)).isTrue();
        }
    }
}
