package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinearityTest {
    private static final WriteCost BASE = new WriteCost(100, 900);

    private static Linearity of(double rate, double idle, double perWrite) {
        return new Linearity(rate, BASE, new WriteCost(idle, perWrite));
    }

    @Test
    void bothWithinTenPercentIsLinear() {
        assertThat(of(0.9, 120, 980).isLinear()).isTrue();
        assertThat(of(1.1, 80, 820).reason()).isEqualTo("linear");
        assertThat(of(0.89, 100, 900).isLinear()).isFalse();
        assertThat(of(1, 100, 1001).isLinear()).isFalse();
    }

    @Test
    void theLargerDifferenceOfTheTwoPartsIsTheReason() {
        assertThat(of(0.8, 300, 950).reason()).isEqualTo("nodes without load use more for each write");
        assertThat(of(0.8, 120, 1200).reason()).isEqualTo("each write costs more");
        assertThat(of(1.2, 90, 700).reason()).isEqualTo("each write costs less");
        assertThat(of(1 / 1.15, 100, 900).reason()).startsWith("the rate, not the processor time");
    }
}
