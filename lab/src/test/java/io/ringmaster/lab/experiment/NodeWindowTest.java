package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.lab.experiment.Ladder.Step;
import io.ringmaster.lab.experiment.NodeWindow.OfRing;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeWindowTest {
    private static OfRing ring(int nodes, boolean measured, double ms, long failed) {
        return new OfRing(nodes, measured, Optional.empty(), MillionSamples.times(ms, 100), 3_000, failed, 5, 0.5, 200);
    }

    private static NodeWindow of(OfRing... rings) {
        return new NodeWindow(100, 10, List.of(rings), 0.4);
    }

    @Test
    void theSlowestMeasuredRingDecides() {
        assertThat(of(ring(3, true, 5, 0), ring(3, true, 22, 0)).step()).isEqualTo(Step.KEPT);
        assertThat(of(ring(3, true, 5, 0), ring(3, true, 24, 0)).step()).isEqualTo(Step.MISSED);
        assertThat(of(ring(4, true, 5, 0), ring(2, false, 24, 0)).step()).isEqualTo(Step.KEPT);
    }

    @Test
    void aFailedWriteMissesInAnyRing() {
        assertThat(of(ring(4, true, 5, 0), ring(2, false, 5, 1)).step()).isEqualTo(Step.MISSED);
    }

    @Test
    void aStepWhoseGeneratorFellBehindDoesNotCount() {
        NodeWindow window = MillionSamples.invalid(3, 100);
        assertThat(window.step()).isEqualTo(Step.UNKNOWN);
        assertThat(window.invalid()).contains("120 ms behind");
    }

    @Test
    void addsOnlyTheMeasuredRings() {
        NodeWindow window = of(ring(4, true, 5, 0), ring(2, false, 5, 0));
        assertThat(window.writes()).isCloseTo(75, within(1e-9));
        assertThat(window.cores()).isCloseTo(0.125, within(1e-9));
        assertThat(window.throttled()).isCloseTo(0.0125, within(1e-9));
        assertThat(window.generator()).isCloseTo(200, within(1e-9));
        assertThat(MillionRow.used(window)).isCloseTo(0.5, within(1e-9));
    }
}
