package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WriteCostTest {
    @Test
    void splitsProcessorTimeIntoIdleAndPerWrite() {
        // three nodes with 0.02 cores each without load, 10 s, 10,000 writes, 12.6 s used
        WriteCost cost = WriteCost.of(12.6, 0.06, 10, 10_000);
        assertThat(cost.total()).isCloseTo(1260, within(1e-6));
        assertThat(cost.idle()).isCloseTo(60, within(1e-6));
        assertThat(cost.perWrite()).isCloseTo(1200, within(1e-6));
        assertThat(cost.idleShare()).isCloseTo(0.0476, within(1e-4));
    }

    @Test
    void theSourcesPricesGiveItsCost() {
        // 2,400 processors for a million writes/s: 2,400 s for a million writes
        assertThat(WriteCost.dollars(2400, 1, 0, WriteCost.PRICE)).isCloseTo(0.0786, within(1e-4));
        assertThat(WriteCost.dollars(2400, 1, 0, WriteCost.TEXT_PRICE)).isCloseTo(0.07, within(1e-9));
    }

    @Test
    void theUnusedPartOfTheQuotaIsPaidForToo() {
        assertThat(WriteCost.dollars(900, 0.9, 100, 0.001)).isCloseTo(1.1, within(1e-9));
    }
}
