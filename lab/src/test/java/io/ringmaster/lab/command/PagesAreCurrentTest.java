package io.ringmaster.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of docs/lab are those of their results; {@code -Daccept=true} or {@code lab report all} rewrites them. */
class PagesAreCurrentTest {
    private static final Path DOCS = Path.of("../docs/lab").toAbsolutePath().normalize();
    private static final Path RECORDED = Path.of("src/test/resources/results");

    @TempDir
    private Path folder;

    private Experiment lost;
    private PageCheck check;

    @BeforeEach
    void copy() throws IOException {
        lost = Experiments.named("third-lost").orElseThrow();
        check = new PageCheck(new ResultFiles(folder), DOCS);
        try (Stream<Path> files = Files.walk(RECORDED)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve(RECORDED.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    @Test
    void every_page_of_the_docs_is_what_its_result_says_today() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Experiment experiment : Experiments.BUILT) {
            problems.addAll(
                    new PageCheck(new ResultFiles(DOCS), DOCS).problems(experiment, Boolean.getBoolean("accept")));
        }
        assertThat(problems).isEmpty();
    }

    /** A page whose run found no node is written without plots, and would stay so. */
    @Test
    void pages_of_the_docs_have_their_plots_and_the_logs_of_their_loads() throws IOException {
        ResultFiles docs = new ResultFiles(DOCS);
        for (Experiment experiment : Experiments.BUILT) {
            Optional<Measured> measured = docs.read(experiment.name());
            if (measured.isEmpty()) {
                continue;
            }
            assertThat(measured.get().about().form()).isEqualTo(Form.FULL);
            assertThat(Files.readString(docs.page(experiment.name())))
                    .contains(".svg)")
                    .doesNotContain("There are no plots here");
            if (experiment.needs().contains(Need.METRONOME)) {
                assertThat(measured.get().logs()).as(experiment.name()).isNotEmpty();
            }
        }
    }

    @Test
    void the_table_of_experiments_has_the_last_verdicts() throws IOException {
        Path page = DOCS.resolve("README.md");
        String text = Files.readString(page);
        String wanted = new ExperimentTable(new ResultFiles(DOCS)).in(text);
        if (Boolean.getBoolean("accept")) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page)).as("./dev figures writes the table").isEqualTo(wanted);
    }

    @Test
    void the_table_links_to_pages_that_exist() throws IOException {
        String table =
                new ExperimentTable(new ResultFiles(folder)).in("a\n<!-- experiments -->\nold\n<!-- end -->\nb\n");
        assertThat(table)
                .startsWith("a\n<!-- experiments -->\n| experiment | question | verdict | measured |\n")
                .contains("| [third-lost](third-lost.md) | What do users see", "| reached | 26 November 2026 |")
                .contains("| response | ", " | not run |  |")
                .endsWith("|\n<!-- end -->\nb\n")
                .doesNotContain("old");
        assertThatThrownBy(() -> new ExperimentTable(new ResultFiles(folder)).in("no marks"))
                .hasMessageContaining("<!-- experiments -->");
    }

    @Test
    void recorded_results_and_their_pages_pass_with_and_without_plots() throws IOException {
        for (Experiment experiment : Experiments.BUILT) {
            assertThat(check.problems(experiment, true)).isEmpty();
            assertThat(check.problems(experiment, false)).isEmpty();
        }
        assertThat(page()).contains("There are no plots here").doesNotContain(".svg)");
        Files.writeString(folder.resolve("third-lost/lost.svg"), "<svg/>");
        Files.writeString(folder.resolve("third-lost/back.svg"), "<svg/>");
        assertThat(check.problems(lost, false)).hasSize(1).first().asString().contains("lab report third-lost");
        assertThat(check.problems(lost, true)).isEmpty();
        assertThat(page()).contains("(third-lost/lost.svg)", "(third-lost/back.svg)");
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("third-lost.md"));
    }

    @Test
    void a_page_that_somebody_edited_is_a_problem() throws IOException {
        assertThat(check.problems(lost, true)).isEmpty();
        Files.writeString(folder.resolve("third-lost.md"), page().replace("lost", "kept"));
        assertThat(check.problems(lost, false)).hasSize(1).first().asString().contains("third-lost.md is not what");
    }

    @Test
    void a_missing_or_broken_log_is_a_problem() throws IOException {
        Files.delete(folder.resolve("third-lost/lost.hlog.gz"));
        Files.writeString(folder.resolve("third-lost/back.hlog.gz"), "no gzip");
        assertThat(check.problems(lost, true))
                .hasSize(2)
                .anyMatch(p -> p.contains("lost.hlog.gz, which does not exist"))
                .anyMatch(p -> p.contains("back.hlog.gz: "));
    }

    @Test
    void results_are_at_most_two_mebibytes() throws IOException {
        Files.write(folder.resolve("third-lost/lost.svg"), new byte[2 << 20]);
        assertThat(check.problems(lost, true)).anyMatch(p -> p.contains("more than 2097152"));
    }
}
