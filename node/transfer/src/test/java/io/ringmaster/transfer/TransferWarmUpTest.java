package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

class TransferWarmUpTest {
    @Test
    void it_makes_its_backups_without_a_node_or_a_store() {
        assertThatNoException().isThrownBy(TransferWarmUp::run);
    }
}
