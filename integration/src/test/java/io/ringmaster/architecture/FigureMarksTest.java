package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.architecture.FigureMarks.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureMarksTest {
    private static final Map<String, Double> FIGURES = Map.of(
            "startup.times_faster", 26.849,
            "startup.ours.seconds", 15.55,
            "third-lost.degraded.p99.9", 1234.56);

    private static FigureMarks marks(String page) {
        return FigureMarks.of("README.md", page, key -> {
            Double value = FIGURES.get(key.toString());
            return value == null ? Answer.none("there is no such figure") : Answer.of(value);
        });
    }

    private static String mark(String key, String text) {
        return "<!-- lab " + key + " -->" + text + "<!-- end -->";
    }

    @Test
    void a_figure_is_compared_in_the_rounding_of_the_text() {
        String page =
                "It is " + mark("startup.times_faster", "26.8") + " times, or " + mark("startup.times_faster", "27")
                        + " times, after " + mark("startup.ours.seconds", "15.6") + " s.\n";
        assertThat(marks(page).problems()).isEmpty();
        assertThat(marks(page).page()).isEqualTo(page);
    }

    @Test
    void a_key_may_have_points_and_a_text_separators() {
        assertThat(marks(mark("third-lost.degraded.p99.9", "1,235")).problems()).isEmpty();
        assertThat(marks(mark("third-lost.degraded.p99.9", "1,230.0")).page())
                .isEqualTo(mark("third-lost.degraded.p99.9", "1,234.6"));
        assertThat(marks(mark("third-lost.degraded.p99.9", "999")).page())
                .isEqualTo(mark("third-lost.degraded.p99.9", "1235"));
    }

    @Test
    void a_difference_names_file_key_and_both_values_and_is_mended() {
        FigureMarks marks = marks("A " + mark("startup.times_faster", "25.1") + " b\n");
        assertThat(marks.problems())
                .containsExactly(
                        "README.md: startup.times_faster is 25.1 in the text and 26.8 in docs/lab/startup.json");
        assertThat(marks.page()).isEqualTo("A " + mark("startup.times_faster", "26.8") + " b\n");
    }

    @Test
    void a_key_without_a_figure_is_a_problem_and_the_text_stays() {
        String page = mark("startup.other", "1");
        assertThat(marks(page).problems()).containsExactly("README.md: startup.other: there is no such figure");
        assertThat(marks(page).page()).isEqualTo(page);
    }

    @Test
    void a_mark_without_end_is_a_problem_and_the_next_one_is_still_compared() {
        String page = "a <!-- lab startup.times_faster -->26.8 times\nb " + mark("startup.times_faster", "1") + "\n";
        FigureMarks marks = marks(page);
        assertThat(marks.problems()).hasSize(2);
        assertThat(marks.problems().get(0))
                .startsWith("README.md: no mark is '<!-- lab startup.times_faster -->26.8 times'");
        assertThat(marks.page()).isEqualTo(page.replace("-->1<", "-->27<"));
    }

    @Test
    void a_mark_without_experiment_or_key_is_a_problem() {
        assertThat(marks(mark("startup", "1")).problems()).hasSize(1);
        assertThat(marks("<!-- lab startup.times_faster").problems()).hasSize(1);
    }

    @Test
    void a_text_that_is_no_number_is_a_problem() {
        for (String text : new String[] {"", "about 27", "26.", "1,23", "26.8 times"}) {
            assertThat(marks(mark("startup.times_faster", text)).problems())
                    .containsExactly("README.md: '" + text + "' of startup.times_faster is no number");
        }
    }

    @Test
    void an_example_in_code_is_no_mark() {
        assertThat(marks("`" + mark("startup.other", "x") + "`").problems()).isEmpty();
    }

    @Test
    void other_marks_are_left_alone() {
        String page = "<!-- fields -->\n| a |\n<!-- end -->\n";
        assertThat(marks(page).page()).isEqualTo(page);
        assertThat(new FigureMarks.Key("startup", "ours.cpu")).hasToString("startup.ours.cpu");
    }
}
