package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class AddressBlockTest {
    @Test
    void two_rings_have_different_addresses_until_one_ends() throws IOException {
        int first;
        try (AddressBlock one = AddressBlock.take(3);
                AddressBlock two = AddressBlock.take(3)) {
            first = one.block();
            assertThat(two.block()).isNotEqualTo(first);
            assertThat(one.address(2)).isEqualTo("127.93." + first + ".2");
        }
        try (AddressBlock again = AddressBlock.take(3)) {
            assertThat(again.block()).isLessThanOrEqualTo(first);
        }
    }

    @Test
    void addresses_that_a_left_over_node_uses_are_passed_over() throws IOException {
        int free;
        try (AddressBlock block = AddressBlock.take(2)) {
            free = block.block();
        }
        try (ServerSocket node = new ServerSocket(7000, 1, InetAddress.getByName("127.93." + free + ".2"));
                AddressBlock block = AddressBlock.take(2)) {
            assertThat(node.isBound()).isTrue();
            assertThat(block.block()).isNotEqualTo(free);
        }
    }
}
