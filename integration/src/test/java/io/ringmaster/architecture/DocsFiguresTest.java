package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.architecture.FigureMarks.Answer;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Measured figures in the docs are those of the lab's results; {@code ./dev figures} rewrites them. */
class DocsFiguresTest {
    private static final ResultFiles RESULTS = new ResultFiles(LanguageTest.ROOT.resolve("docs/lab"));

    @Test
    void every_marked_figure_is_the_measured_one() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : pages()) {
            String page = Files.readString(file);
            String name = LanguageTest.ROOT.relativize(file).toString();
            FigureMarks marks = FigureMarks.of(name, page, DocsFiguresTest::figure);
            if (Boolean.getBoolean("accept") && !marks.page().equals(page)) {
                Files.writeString(file, marks.page());
                marks = FigureMarks.of(name, marks.page(), DocsFiguresTest::figure);
            }
            problems.addAll(marks.problems());
        }
        assertThat(problems)
                .as("./dev figures writes measured figures into the docs")
                .isEmpty();
    }

    private static Answer figure(FigureMarks.Key key) {
        try {
            return RESULTS.read(key.experiment())
                    .map(measured -> figure(measured, key))
                    .orElseGet(() -> Answer.none("there is no docs/lab/" + key.experiment() + ".json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer figure(Measured measured, FigureMarks.Key key) {
        About about = measured.about();
        if (about.form() != Form.FULL || about.busy() || measured.isInvalid(key.key())) {
            return Answer.none("a short, busy or invalid run gives no figure for the docs");
        }
        return measured.figure(key.key())
                .map(Figure::value)
                .map(Answer::of)
                .orElseGet(() -> Answer.none("no such figure: " + measured.reason(key.key())));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(LanguageTest.ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(LanguageTest.ROOT.resolve("README.md")), docs.filter(f -> f.toString()
                            .endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }
}
