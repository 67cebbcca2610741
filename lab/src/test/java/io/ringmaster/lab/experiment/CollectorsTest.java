package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Report;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CollectorsTest {
    private static final Collectors EXPERIMENT = new Collectors();

    private final Figures figures = new Figures();

    /** The row's processor time for a million requests, and its rate with p99.9 below 10 ms. */
    private void row(JvmRow row, double cpu, double low, double rate, double high) {
        figures.put(row.key() + ".cpu", cpu, Unit.CPU_S_PER_MILLION);
        figures.put(row.key() + Collectors.P999, new Figure(rate, Unit.PER_SECOND, low, high, 2));
    }

    private Measured measured(Form form) {
        return figures.measured(new About("collectors", form, "abc", Instant.EPOCH, 1, Map.of(), false));
    }

    private CollectorChoice choice() {
        return new CollectorChoice(measured(Form.FULL));
    }

    @Test
    void the_highest_rate_wins_where_it_costs_at_most_a_tenth_more() {
        row(JvmRow.G1_17, 500, 1900, 2000, 2100);
        row(JvmRow.SERIAL_17, 480, 2900, 3000, 3100);
        row(JvmRow.ZGC_17, 529, 4900, 5000, 5100);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.SERIAL_17);
        assertThat(choice().best()).contains(JvmRow.SERIAL_17);
    }

    @Test
    void inside_the_spread_g1_stays() {
        row(JvmRow.G1_17, 500, 1900, 2000, 2500);
        row(JvmRow.SERIAL_17, 480, 2400, 3000, 3100);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.G1_17);
    }

    @Test
    void a_winner_on_another_jdk_is_reported_but_not_the_default() {
        row(JvmRow.G1_17, 500, 1900, 2000, 2100);
        row(JvmRow.ZGC_21, 500, 3900, 4000, 4100);
        assertThat(choice().best()).contains(JvmRow.ZGC_21);
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.G1_17);
        Conclusion verdict = EXPERIMENT.report(measured(Form.FULL)).verdict();
        assertThat(verdict.kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict.sentence())
                .isEqualTo("generational ZGC on 21 keeps p99.9 below 10 ms at 4000 requests/s, 2 times as many as G1 on"
                        + " 17.");
    }

    @Test
    void without_a_rate_of_the_default_the_verdict_has_the_reason() {
        figures.missing(JvmRow.G1_17.key(), "invalid: the machine was full");
        row(JvmRow.SERIAL_17, 480, 2400, 3000, 3100);
        Conclusion verdict = EXPERIMENT.report(measured(Form.FULL)).verdict();
        assertThat(verdict.kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(verdict.sentence()).contains("the machine was full");
        assertThat(choice().ofProduct()).isEqualTo(JvmRow.G1_17);
        assertThat(new CollectorChoice(
                                new Figures().measured(measured(Form.FULL).about()))
                        .best())
                .isEqualTo(Optional.empty());
    }

    @Test
    void every_figure_of_the_sources_has_a_cell() {
        Report report = EXPERIMENT.report(measured(Form.FULL));
        List<String> cells = report.tables().stream()
                .flatMap(table -> table.rows().stream())
                .flatMap(List::stream)
                .toList();
        assertThat(EXPERIMENT.seeds()).hasSize(18).allSatisfy(seed -> assertThat(cells)
                .contains(Cells.seed(List.of(seed), seed.key())));
    }

    @Test
    void every_jvm_has_a_row_with_its_figures_or_the_reason() {
        figures.missing(JvmRow.CMS_11.key(), "no JDK 11: pip is offline");
        Report report = EXPERIMENT.report(measured(Form.FULL));
        assertThat(report.tables().get(2).rows()).hasSize(JvmRow.values().length);
        assertThat(report.tables().get(2).rows().get(0)).startsWith("CMS on 11", "no JDK 11: pip is offline");
        assertThat(EXPERIMENT.report(measured(Form.SHORT)).tables().get(2).rows())
                .hasSize(2);
    }
}
