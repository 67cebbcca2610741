package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.experiment.ServiceLevel.P99;
import static io.ringmaster.lab.experiment.ServiceLevel.P999;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.experiment.Climb.Held;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClimbTest {
    private static final List<Integer> RATES = List.of(1400, 2400, 4000);

    private final Climb climb = new Climb(RATES);

    private static List<Double> offered(Climb climb) {
        return climb.windows().stream().map(CollectorWindow::rate).toList();
    }

    @Test
    void both_levels_are_judged_by_the_same_windows_and_the_lowest_rung_is_offered_twice() {
        Climb both = CollectorSamples.climb(RATES, 2400, 1400);
        assertThat(offered(both)).containsExactly(1400.0, 1400.0, 2400.0, 2400.0, 4000.0, 4000.0);
        assertThat(both.held(P99).rate()).isEqualTo(2400);
        assertThat(both.held(P999).rate()).isEqualTo(1400);
        assertThat(both.held(P999).last()).extracting(CollectorWindow::rate).containsOnly(2400.0);
        assertThat(both.held(P999).missed()).isTrue();
    }

    @Test
    void a_level_that_has_missed_is_not_looked_at_again() {
        climb.take(CollectorSamples.window(1400, 2, 14));
        climb.take(CollectorSamples.window(1400, 2, 14));
        climb.take(CollectorSamples.window(2400, 2, 8));
        climb.take(CollectorSamples.window(4000, 2, 14));
        assertThat(climb.goesOn()).isFalse();
        assertThat(climb.held(P999).rate()).isZero();
        assertThat(climb.held(P99)).extracting(Held::rate, Held::missed).containsExactly(4000.0, false);
    }

    @Test
    void a_single_miss_does_not_count() {
        climb.take(CollectorSamples.window(1400, 7, 14));
        climb.take(CollectorSamples.window(1400, 2, 8));
        climb.take(CollectorSamples.window(2400, 7, 14));
        assertThat(climb.rate()).isEqualTo(2400);
        climb.take(CollectorSamples.window(2400, 2, 14));
        assertThat(climb.rate()).isEqualTo(4000);
        assertThatThrownBy(() -> climb.held(P999)).isInstanceOf(IllegalStateException.class);
        climb.take(CollectorSamples.window(4000, 2, 14));
        assertThat(climb.goesOn()).isFalse();
        assertThat(climb.held(P999).rate()).isEqualTo(1400);
        assertThat(climb.held(P99).missed()).isFalse();
    }

    @Test
    void where_the_lowest_rung_misses_both_the_climb_ends() {
        assertThat(offered(CollectorSamples.climb(RATES, 0, 0))).containsExactly(1400.0, 1400.0);
        assertThat(CollectorSamples.climb(RATES, 0, 0).held(P99).rate()).isZero();
    }

    @Test
    void a_generator_that_fell_behind_and_a_failed_request_are_misses() {
        assertThat(CollectorSamples.window(1400, 4.9, 9.9).keeps(P999)).isTrue();
        assertThat(CollectorSamples.window(1400, 5.1, 9.9).keeps(P99)).isFalse();
        assertThat(CollectorSamples.failed(1400).keeps(P99)).isFalse();
        climb.take(CollectorSamples.window(1400, 2, 8));
        climb.take(CollectorSamples.window(1400, 2, 8));
        climb.take(CollectorSamples.behind(2400));
        climb.take(CollectorSamples.behind(2400));
        assertThat(climb.goesOn()).isFalse();
        assertThat(climb.held(P99).rate()).isEqualTo(1400);
        assertThat(climb.held(P99).isFull()).isTrue();
        assertThat(climb.held(P99).last().get(0).text(P99)).isEqualTo("1.00 ms, generator behind");
    }

    @Test
    void the_machine_was_full_only_if_it_was_in_both_windows_that_missed() {
        climb.take(CollectorSamples.window(1400, 7, 14));
        climb.take(CollectorSamples.onFullMachine(1400, 7, 14));
        assertThat(climb.held(P99).isFull()).isFalse();
    }
}
