package io.ringmaster.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.figure.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0;0",
                "7;7",
                "3987;3987",
                "15482;15,482",
                "9999.6;10000",
                "10000;10,000",
                "123.4;123",
                "12.34;12.3",
                "1.334;1.33",
                "0.1;0.10",
                "0.0123;0.0123",
                "-41.27;-41.3",
                "NaN;not measured",
                "Infinity;not measured"
            })
    void a_number_has_three_significant_digits(double value, String text) {
        assertThat(Cells.number(value)).isEqualTo(text);
    }

    @Test
    void a_cell_has_the_unit_and_the_spread() {
        assertThat(Cells.cell(Figure.of(12.34, Unit.MS))).isEqualTo("12.3 ms");
        assertThat(Cells.cell(Figure.of(0.07, Unit.DOLLARS))).isEqualTo("$0.0700");
        assertThat(Cells.cell(Figure.of(800, Unit.PER_SECOND))).isEqualTo("800/s");
        assertThat(Cells.cell(Figure.of(36000, Unit.COUNT))).isEqualTo("36,000");
        assertThat(Cells.cell(Figure.median(List.of(3.0, 1.0, 2.0), Unit.SECONDS)))
                .isEqualTo("2 s (1 to 3)");
    }

    @Test
    void a_missing_figure_has_the_reason_of_the_longest_part_of_its_key() {
        Measured measured = new Figures()
                .put("a.p50", 1, Unit.MS)
                .missing("a", "the machine was full")
                .missing("a.p99", "too few requests")
                .measured(new About("startup", Form.FULL, "abc", Instant.EPOCH, 1, Map.of(), false));
        assertThat(Cells.cell(measured, "a.p50")).isEqualTo("1 ms");
        assertThat(Cells.cell(measured, "a.p99")).isEqualTo("too few requests");
        assertThat(Cells.cell(measured, "a.p99.9")).isEqualTo("too few requests");
        assertThat(Cells.cell(measured, "a.max")).isEqualTo("the machine was full");
        assertThat(Cells.cell(measured, "b.max")).isEqualTo("not measured");
    }

    @Test
    void a_value_of_missing_figures_has_no_unit() {
        assertThat(Cells.value(Double.NaN, "ms")).isEqualTo("not measured");
    }

    @Test
    void the_figure_of_a_source_is_not_rounded() {
        var seeds = List.of(new Seed("a.p99", 1333.5, Unit.MS, "002"), new Seed("b", 60, Unit.SECONDS, "001"));
        assertThat(Cells.seed(seeds, "a.p99")).isEqualTo("1333.5 ms");
        assertThat(Cells.seed(seeds, "b")).isEqualTo("60 s");
        assertThat(Cells.seed(seeds, "c")).isEmpty();
    }
}
