package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectorRoundsTest {
    private static final String KEY = JvmRow.ZGC_17.key() + ".fixed";

    private static Measured put(CollectorWindow... windows) {
        Figures figures = new Figures();
        new CollectorRounds(List.of(windows)).put(JvmRow.ZGC_17, CollectorRounds.KEY, figures);
        return figures.measured(new About("collectors", Form.FULL, "abc", Instant.EPOCH, 1, Map.of(), false));
    }

    @Test
    void percentiles_are_those_of_all_windows_and_the_spread_those_of_each() {
        Measured measured = put(CollectorSamples.window(1400, 2, 8), CollectorSamples.window(1400, 4, 20));
        assertThat(measured.figure(KEY + ".p99.9")).hasValueSatisfying(figure -> {
            assertThat(figure.value()).isCloseTo(20, within(0.05));
            assertThat(figure.low()).isCloseTo(8, within(0.05));
            assertThat(figure.high()).isCloseTo(20, within(0.05));
            assertThat(figure.runs()).isEqualTo(2);
        });
        assertThat(measured.value(KEY + ".cpu")).isCloseTo(400, within(1e-9));
        assertThat(measured.value(KEY + ".op_rate")).isEqualTo(1000);
        assertThat(measured.value(KEY + ".hiccup")).isEqualTo(1.5);
    }

    @Test
    void only_what_the_collector_has_is_counted() {
        Measured measured = put(CollectorSamples.window(1400, 2, 8), CollectorSamples.window(1400, 4, 20));
        assertThat(measured.value(KEY + ".stalls")).isZero();
        assertThat(measured.figure(KEY + ".young")).isEmpty();
        assertThat(measured.figure(KEY + ".degenerated")).isEmpty();
    }

    @Test
    void invalid_windows_are_left_out_and_named() {
        Measured measured = put(
                CollectorSamples.window(1400, 2, 8),
                CollectorSamples.onFullMachine(1400, 30, 40),
                CollectorSamples.window(1400, 2, 8));
        assertThat(measured.value(KEY + ".max")).isCloseTo(8, within(0.05));
        assertThat(measured.missing())
                .containsEntry(KEY + ".left_out", "1 of 3 windows: the machine was full (0.10 cores idle)");
        assertThat(measured.isInvalid(KEY + ".p99")).isFalse();
    }

    @Test
    void with_less_than_two_valid_windows_there_are_no_figures() {
        Measured measured = put(CollectorSamples.window(1400, 2, 8), CollectorSamples.behind(1400));
        assertThat(measured.figures()).isEmpty();
        assertThat(measured.reason(KEY + ".p99")).isEqualTo("invalid: 120 ms behind");
        assertThat(measured.isInvalid(ServiceLevel.P99.key(JvmRow.ZGC_17))).isFalse();
    }
}
