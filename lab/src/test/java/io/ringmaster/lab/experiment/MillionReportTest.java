package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.experiment.MillionRows.MillionSize;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Conclusion.Kind;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Markdown;
import io.ringmaster.lab.page.Report;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MillionReportTest {
    private static final Million MILLION = new Million();

    private static Report report(Figures figures) {
        return MILLION.report(MillionSamples.measured(figures));
    }

    private static String page(Figures figures) {
        Measured measured = MillionSamples.measured(figures);
        // where its lines break is not of interest
        return Markdown.page(MILLION.question(), measured, MILLION.report(measured), true)
                .replaceAll("\\s+", " ");
    }

    @Test
    void linearFiguresReachTheGoal() {
        Report report = report(MillionSamples.linear());
        assertThat(report.verdict().kind()).isEqualTo(Kind.REACHED);
        assertThat(report.verdict().sentence()).contains("3 nodes, RF 3").contains("all 5 larger rings are linear");
        assertThat(report.tables().get(0).rows())
                .anySatisfy(row -> assertThat(row).startsWith("6 nodes, RF 3", "480/s", "80/s", "8.00 ms", "8.00 ms"));
        assertThat(report.plots()).extracting(plot -> plot.name()).containsExactly("writes-rf3", "writes-rf1", "cpu");
    }

    @Test
    void aRingThatHoldsLessIsNamedWithItsReason() {
        Report report = report(MillionSamples.withSixNodes(80 / 1.15));
        assertThat(report.verdict().kind()).isEqualTo(Kind.MISSED);
        assertThat(report.verdict().sentence()).contains("6 nodes, RF 3 (the rate, not the processor time");
    }

    @Test
    void oneSizeAloneIsNotComparable() {
        Figures figures = new Figures();
        MillionSamples.row(figures, 3, 3, 80);
        Report report = report(figures);
        assertThat(report.verdict().kind()).isEqualTo(Kind.NOT_COMPARABLE);
        assertThat(report.plots()).hasSize(2);
    }

    @Test
    void withoutAMissTheRateIsALowerBound() {
        Figures figures = MillionSamples.linear().count("rf3.6.open", 1);
        Report report = report(figures);
        assertThat(report.verdict().kind()).isEqualTo(Kind.INVALID);
        assertThat(report.tables().get(0).rows())
                .anySatisfy(row -> assertThat(row).contains("at least 480/s"));
    }

    @Test
    void emptyFiguresHaveAReasonInEveryCell() {
        Report report = report(new Figures());
        assertThat(report.verdict().kind()).isEqualTo(Kind.INVALID);
        assertThat(report.plots()).isEmpty();
        for (var table : report.tables()) {
            for (List<String> row : table.rows()) {
                if (!row.get(0).startsWith("source")) {
                    assertThat(row.subList(1, row.size())).as(row.get(0)).containsOnly("not measured");
                }
            }
        }
    }

    @Test
    void aGeneratorThatFellBehindMakesItsRowInvalid() {
        Figures figures = new Figures();
        MillionSamples.row(figures, 3, 3, 80);
        new MillionRow("rf3.6", 6, MillionSamples.window(6, 80, 20), MillionSamples.invalid(6, 56), 0.02).put(figures);
        Report report = report(figures);
        assertThat(report.verdict().kind()).isEqualTo(Kind.INVALID);
        assertThat(report.verdict().sentence()).isEqualTo("The row of 6 nodes, RF 3 is invalid: 120 ms behind.");
        assertThat(report.tables().get(0).rows())
                .anySatisfy(row -> assertThat(row).startsWith("6 nodes, RF 3", "invalid", "invalid"));
    }

    @Test
    void aFullMachineMakesItsRowInvalid() {
        Figures figures = new Figures();
        NodeWindow hold = MillionSamples.window(3, 56, 8);
        NodeWindow full = new NodeWindow(hold.rate(), hold.seconds(), hold.rings(), 0.1);
        new MillionRow("rf3.3", 3, MillionSamples.window(3, 80, 20), full, 0.02).put(figures);
        assertThat(report(figures).verdict().sentence()).contains("invalid: the machine was full");
        assertThat(new MillionRows(MillionSamples.measured(figures)).has(new MillionSize(3, 3)))
                .isFalse();
    }

    @Test
    void aRowWhoseCompilersWereNotDoneIsInvalidInTheFullForm() {
        Figures figures = new Figures();
        MillionWarmUp.judge("rf3.3", 36, 0.12, MillionPlan.of(Form.FULL).compilers(), figures);
        assertThat(report(figures).verdict().sentence())
                .isEqualTo("The row of 3 nodes, RF 3 is invalid: compilers still took 12 % of the processor time.");
        Figures brief = new Figures();
        MillionWarmUp.judge("rf3.3", 4, 0.6, MillionPlan.of(Form.SHORT).compilers(), brief);
        assertThat(MillionSamples.measured(brief).missing()).isEmpty();
    }

    @Test
    void aSizeLeftOutForLackOfTimeLeavesNoVerdict() {
        Figures figures = new Figures().missing("rf1.2", "left out, for lack of time");
        MillionSamples.row(figures, 3, 3, 80);
        MillionSamples.row(figures, 3, 6, 80);
        Conclusion verdict = report(figures).verdict();
        assertThat(verdict.kind()).isEqualTo(Kind.INVALID);
        assertThat(verdict.sentence()).isEqualTo("The row of 4 nodes, RF 3 is missing: not measured.");
        assertThat(page(figures)).contains("left out, for lack of time");
    }

    @Test
    void saysWhatWouldBeDishonestToLeaveOut() {
        String page = page(MillionSamples.linear());
        assertThat(page)
                .contains("Code compiles without a limit")
                .contains("A step counts only if every generator kept its schedule")
                .contains("always one of its replicas")
                .contains("equally full at every size")
                .contains("$0.079")
                .contains("$0.07")
                .contains("**not comparable**");
        assertThat(page.toLowerCase(Locale.ROOT)).doesNotContain("million a second", "million writes a second");
    }

    @Test
    void everySeedHasACell() {
        String page = page(new Figures());
        for (String cell :
                List.of("1000000/s", "10.3 ms", "23 ms", "$0.079", "$0.07", "1400000/s", "7.6 ms", "21 ms")) {
            assertThat(page).contains("| " + cell + " |");
        }
    }
}
