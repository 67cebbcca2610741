package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Markdown;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every report, on figures that are there, missing or invalid; {@code -Daccept=true} rewrites the golden pages. */
class ReportsTest {
    private static final ResultFiles RECORDED = new ResultFiles(Path.of("src/test/resources/results"));

    static List<Experiment> experiments() {
        return Experiments.BUILT;
    }

    private static Measured measured(Experiment experiment, Form form, Figures figures) {
        return figures.measured(
                new About(experiment.name(), form, "abc", Instant.EPOCH, 1, Map.of("processors", "2"), false));
    }

    private static String page(Experiment experiment, Measured measured) {
        return Markdown.page(experiment.question(), measured, experiment.report(measured), true);
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void without_figures_each_cell_says_why_and_nothing_is_claimed(Experiment experiment) {
        for (Form form : Form.values()) {
            Measured nothing = measured(experiment, form, new Figures());
            assertThat(page(experiment, nothing))
                    .doesNotContain("NaN", "null", "Infinity")
                    .contains(Measured.NOT_MEASURED);
            assertThat(experiment.report(nothing).verdict().kind())
                    .isIn(Conclusion.Kind.INVALID, Conclusion.Kind.NOT_COMPARABLE);
        }
    }

    /** As a run stores them that was broken off at any place. */
    @ParameterizedTest
    @MethodSource("experiments")
    void each_single_missing_figure_leaves_a_page_without_gaps(Experiment experiment) throws IOException {
        Measured whole = RECORDED.read(experiment.name()).orElse(measured(experiment, Form.FULL, new Figures()));
        for (String key : whole.figures().keySet()) {
            Figures figures = new Figures().missing(key, "the disk was full");
            whole.figures().forEach((k, figure) -> {
                if (!k.equals(key)) {
                    figures.put(k, figure);
                }
            });
            assertThat(page(experiment, figures.measured(whole.about())))
                    .as("without %s", key)
                    .doesNotContain("NaN", "null", "Infinity");
        }
    }

    @Test
    void a_load_on_a_full_machine_decides_nothing() throws IOException {
        Experiment lost = Experiments.named("third-lost").orElseThrow();
        Measured whole = RECORDED.read("third-lost").orElseThrow();
        Figures figures = new Figures().missing("lost", "invalid: the machine was full (0.1 cores idle)");
        whole.figures().forEach(figures::put);
        Conclusion verdict = lost.report(figures.measured(whole.about())).verdict();
        assertThat(lost.report(whole).verdict().kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict.kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(verdict.sentence()).contains("the machine was full");
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void each_figure_of_a_source_stands_on_the_page(Experiment experiment) {
        String page =
                page(experiment, measured(experiment, Form.FULL, new Figures())).replaceAll("\\s+", " ");
        assertThat(experiment.seeds()).isNotEmpty().allSatisfy(seed -> assertThat(page)
                .contains(Cells.seed(experiment.seeds(), seed.key())));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void a_report_is_pure_and_says_goal_and_scale(Experiment experiment) {
        Measured nothing = measured(experiment, Form.FULL, new Figures());
        Report report = experiment.report(nothing);
        assertThat(report).isEqualTo(experiment.report(nothing));
        assertThat(report.goal()).isNotBlank().endsWith(".");
        assertThat(report.scale()).isNotEmpty();
        assertThat(report.verdict().sentence()).endsWith(".");
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void a_recorded_result_has_its_golden_page(Experiment experiment) throws IOException {
        var recorded = RECORDED.read(experiment.name());
        if (recorded.isEmpty()) {
            return; // only some experiments are recorded
        }
        String page = page(experiment, recorded.get());
        if (Boolean.getBoolean("accept")) {
            RECORDED.writePage(experiment.name(), page);
        }
        assertThat(page).isEqualTo(Files.readString(RECORDED.page(experiment.name())));
        assertThat(page.lines().filter(line -> !line.startsWith("|"))).allMatch(line -> line.length() <= 120);
    }

    @Test
    void names_are_unique_and_fit_files_and_marks() {
        List<String> names = Stream.concat(
                        Experiments.BUILT.stream().map(Experiment::name),
                        Experiments.PLACES.stream().map(Place::name))
                .toList();
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"));
        assertThat(names).doesNotContain("all", "README");
        assertThat(Experiments.named("million-and-one")).isEmpty();
    }

    @Test
    void all_full_forms_together_take_little_more_than_two_hours() {
        Duration all = Experiments.BUILT.stream()
                .map(experiment -> experiment.budget(Form.FULL))
                .reduce(Duration.ZERO, Duration::plus);
        assertThat(all).isLessThan(Duration.ofMinutes(136));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void a_short_form_takes_less_than_three_minutes(Experiment experiment) {
        assertThat(experiment.budget(Form.SHORT)).isLessThan(Duration.ofMinutes(3));
        assertThat(experiment.budget(Form.FULL)).isGreaterThan(experiment.budget(Form.SHORT));
        assertThat(Experiments.named(experiment.name())).containsSame(experiment);
    }
}
