package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.figure.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldRatesTest {
    private static final List<Integer> RATES = List.of(1400, 2400, 4000);

    private static Climb climb(double p999) {
        return CollectorSamples.climb(RATES, 4000, p999);
    }

    private static Measured put(Climb... passes) {
        Figures figures = new Figures();
        new HeldRates(ServiceLevel.P999, List.of(passes)).put("k", figures);
        return figures.measured(new About("collectors", Form.FULL, "abc", Instant.EPOCH, 1, Map.of(), false));
    }

    @Test
    void the_lower_pass_is_the_figure_and_both_are_the_spread() {
        Measured measured = put(climb(2400), climb(1400));
        assertThat(measured.figure("k")).contains(new Figure(1400, Unit.PER_SECOND, 1400.0, 2400.0, 2));
        assertThat(measured.figure("k.open")).isEmpty();
        assertThat(measured.figure("k.full")).isEmpty();
        assertThat(measured.points("k.pass1")).extracting(Point::x).containsExactly(4000.0, 4000.0);
        assertThat(measured.points("k.pass2")).extracting(Point::x).containsExactly(2400.0, 2400.0);
        assertThat(measured.points("k.windows"))
                .hasSize(climb(2400).windows().size() + climb(1400).windows().size());
    }

    @Test
    void below_the_lowest_rung_it_names_what_missed() {
        Measured measured = put(climb(0), climb(2400));
        assertThat(measured.figure("k")).isEmpty();
        assertThat(measured.figure("k.none")).contains(new Figure(0, Unit.PER_SECOND, 0.0, 2400.0, 2));
        assertThat(measured.reason("k"))
                .matches("below 1400/s \\(pass 1: p99.9 14.0 ms and 14.0 ms; pass 2: 2400/s kept\\)");
        assertThat(measured.isInvalid("k")).isFalse();
    }

    @Test
    void the_highest_rung_is_a_lower_bound_only_if_both_passes_kept_it() {
        assertThat(put(climb(4000), climb(4000)).figure("k.open")).isPresent();
        assertThat(put(climb(4000), climb(2400)).figure("k.open")).isEmpty();
    }

    @Test
    void a_full_machine_is_named_where_it_ended_the_lower_pass() {
        Climb full = new Climb(RATES);
        full.take(CollectorSamples.window(1400, 2, 8));
        full.take(CollectorSamples.window(1400, 2, 8));
        full.take(CollectorSamples.behind(2400));
        full.take(CollectorSamples.behind(2400));
        assertThat(put(full, climb(2400)).figure("k.full")).isPresent();
        assertThat(put(full, climb(0)).figure("k.full")).isEmpty();
    }
}
