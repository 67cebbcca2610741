package io.ringmaster.playground.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoopbackBlockTest {
    private static final String HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt";

    @Test
    void a_playground_alone_takes_the_first_block() {
        LoopbackBlock first =
                LoopbackBlock.firstFree(false, Set.of("127.0.0.1", "0.0.0.0")).orElseThrow();
        assertThat(first).isEqualTo(LoopbackBlock.FIRST).hasToString("127.1.0.0/16");
        assertThat(first.nodeAddresses(2, 2)).containsExactly("127.1.1.1", "127.1.1.2", "127.1.2.1", "127.1.2.2");
    }

    @Test
    void a_block_in_which_anything_listens_is_skipped() {
        Set<String> listening = Set.of("127.1.2.3", "127.2.0.254", "10.3.1.1", "127.65.1.1");
        assertThat(LoopbackBlock.firstFree(false, listening)).contains(new LoopbackBlock(3, false));
        assertThat(LoopbackBlock.firstFree(true, listening)).contains(new LoopbackBlock(2, true));
    }

    @Test
    void none_is_free_when_every_block_is_taken() {
        Set<String> listening = new HashSet<>();
        LoopbackBlock.all(true).forEach(block -> listening.add(block.server(1)));
        assertThat(LoopbackBlock.firstFree(true, listening)).isEmpty();
        assertThat(LoopbackBlock.firstFree(false, listening)).contains(LoopbackBlock.FIRST);
    }

    @Test
    void no_block_contains_an_address_of_another() {
        List<LoopbackBlock> all = new java.util.ArrayList<>(LoopbackBlock.all(false));
        all.addAll(LoopbackBlock.all(true));
        for (LoopbackBlock block : all) {
            Set<String> own = new HashSet<>(block.nodeAddresses(9, 200));
            own.addAll(Set.of(block.starting(), block.server(1), block.server(9)));
            assertThat(own).hasSize(9 * 200 + 3);
            assertThat(all.stream().filter(other -> !other.isFree(own))).containsExactly(block);
        }
    }

    @Test
    void a_block_of_moving_addresses_names_its_machines_and_the_addresses_of_their_first_launches() {
        var block = new LoopbackBlock(3, true);
        assertThat(block).hasToString("127.96.0.0/12");
        assertThat(block.machine(2, 7)).as("mapped to 127.(64+34).7.1").isEqualTo("127.1.34.7");
        assertThat(block.nodeAddresses(2, 7)).endsWith("127.98.7.1");
        assertThatThrownBy(() -> new LoopbackBlock(9, true)).hasMessageContaining("no block 9");
    }

    @Test
    void only_listening_sockets_count_of_both_families() {
        assertThat(ListeningSockets.addresses(List.of(
                        HEADER,
                        "   0: 0101017F:1B58 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0 0 1138 1",
                        "   1: 0102027F:1B58 0101017F:8CA0 01 00000000:00000000 00:00000000 00000000     0 0 1139 1",
                        "  12: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 1140 1",
                        "")))
                .containsExactlyInAnyOrder("127.1.1.1", "0.0.0.0");
        assertThat(
                        ListeningSockets.addresses(
                                List.of(
                                        HEADER,
                                        "   0: 0000000000000000FFFF00000301037F:251C 00000000000000000000000000000000:0000 0A 0:0 00:0",
                                        "   1: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0",
                                        "   2: 0000000000000000FFFF00000102047F:1F90 0000000000000000FFFF00000100007F:1F91 01 0:0 0:0")))
                .containsExactly("127.3.1.3");
        assertThat(ListeningSockets.addresses(List.of())).isEmpty();
    }
}
