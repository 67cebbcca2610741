package io.ringmaster.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownTest {
    private static final Plot.Axis X = Plot.Axis.of("time", "s", Plot.Scale.LINEAR);

    private static Measured measured(Form form, boolean busy, Figures figures) {
        return figures.measured(new About(
                "startup", form, "abc", Instant.parse("2026-11-26T14:59:22Z"), 12.4, Map.of("memory", "24 GiB"), busy));
    }

    private static String page(Form form, boolean busy, Figures figures, List<Plot> plots, String text, boolean drawn) {
        var verdict = new Conclusion(Conclusion.Kind.MISSED, "It took long.");
        var table = new Table("Times:", List.of("", "time"), List.of(List.of("ours", "12 s")));
        var report = new Report("Half.", verdict, List.of(table), plots, List.of(text), List.of("Smaller."));
        return Markdown.page("How long?", measured(form, busy, figures), report, drawn);
    }

    private static Plot plot(String name, List<Measured.Point> points) {
        return Plot.lines(name, "A plot", X, X, List.of(Plot.Line.of("line", points)));
    }

    @Test
    void a_page_has_question_goal_verdict_table_scale_and_where_it_was_measured() {
        assertThat(page(Form.FULL, false, new Figures().log("a.hlog.gz"), List.of(), "Text.", true))
                .isEqualTo(
                        """
                        # startup

                        How long?

                        **Goal.** Half.

                        **Verdict: missed.** It took long.

                        Times:

                        |  | time |
                        | --- | ---: |
                        | ours | 12 s |

                        Text.

                        ## What the scale changes

                        - Smaller.

                        ## How it was measured

                        `./ringmaster lab run startup`, 26 November 2026, 14:59 UTC, commit abc, 12 s.

                        - memory: 24 GiB

                        All figures: [startup.json](startup.json). Interval logs (HdrHistogram): [a.hlog.gz](startup/a.hlog.gz).

                        """);
    }

    @Test
    void a_short_or_busy_run_says_so() {
        String page = page(Form.SHORT, true, new Figures(), List.of(), "Text.", true);
        assertThat(page).contains("This is the short form", "`./ringmaster lab run startup --short`");
        assertThat(page).contains("**beside other work of the\ncomputer**");
    }

    @Test
    void plots_without_data_are_left_out_and_missing_plots_said() {
        var plots = List.of(plot("empty", List.of()), plot("full", List.of(new Measured.Point(1, 2))));
        assertThat(page(Form.FULL, false, new Figures(), plots, "Text.", true))
                .contains("![A plot](startup/full.svg)\n")
                .doesNotContain("empty.svg");
        assertThat(page(Form.FULL, false, new Figures(), plots, "Text.", false))
                .contains("`./ringmaster lab report startup`")
                .doesNotContain(".svg");
        assertThat(page(Form.FULL, false, new Figures(), plots.subList(0, 1), "Text.", false))
                .doesNotContain("no plots");
    }

    @Test
    void paragraphs_are_wrapped_and_no_line_becomes_a_list() {
        for (int length = 100; length < 120; length++) {
            String text = "x".repeat(length) + " 30 + 8 - 8 * 8 of 13. 4 # > and more " + "y ".repeat(80) + "end.";
            String page = page(Form.FULL, false, new Figures(), List.of(), text, true);
            assertThat(page.replace('\n', ' ')).contains(text);
            assertThat(page.lines()).allMatch(line -> line.length() <= 120);
            assertThat(page.lines()
                            .filter(line -> line.matches("([-+*#>]|\\d+\\.) .*"))
                            .filter(line -> !line.startsWith("#") && !line.startsWith("- ")))
                    .isEmpty();
        }
    }

    @Test
    void a_row_of_another_length_is_a_mistake() {
        assertThatThrownBy(() -> new Table("Times:", List.of("", "time"), List.of(List.of("ours"))))
                .hasMessageContaining("Times:");
    }
}
