package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The short form of every experiment runs, writes its page and leaves nothing behind. No time or verdict is judged. */
@RealNodes(
        preset = Preset.DEVELOPMENT,
        tls = false,
        roles = false,
        why = "each experiment of the lab has a cluster of its own")
@Tag("cassandra")
@Tag("long")
class LabTest {
    /** 0: measured; 3: measured, and the figures are invalid, for example because the computer was busy. */
    private static final List<Integer> MEASURED = List.of(0, 3);

    private static final long MOST_BYTES_OF_A_PLOT = 100_000;
    private static final Duration SOON = Duration.ofMinutes(3);
    /** What the lab says when Maven or pip cannot fetch a program that is not in its cache. */
    private static final Pattern NOT_FETCHED = Pattern.compile("(mvn|python3 -m pip) .* failed with exit code");

    @TempDir
    private Path temporary;

    @BeforeAll
    static void share_the_cache_of_the_tests() {
        Lab.shareCache();
    }

    @BeforeEach
    void a_generator_is_built() {
        boolean built =
                System.getenv("METRONOME") != null || Playground.metronome().isPresent();
        Assumptions.assumeTrue(built, "skipped: metronome is not built -> ./dev rust --build");
    }

    @TestFactory
    Stream<DynamicTest> experiments() {
        return Experiments.BUILT.stream()
                .map(experiment -> DynamicTest.dynamicTest(
                        experiment.name(), () -> measures(experiment, temporary.resolve(experiment.name()))));
    }

    private static void measures(Experiment experiment, Path out) throws Exception {
        Process lab = Lab.start(experiment, out);
        Lab.Ended ended = Lab.await(lab, experiment, out);
        assertThat(Lab.leftovers(lab, experiment)).as(ended.output()).isEmpty();
        Assumptions.assumeFalse(
                ended.exit() == 1 && NOT_FETCHED.matcher(ended.output()).find(),
                () -> "skipped: a program is not in the cache, and there is no network:\n" + ended.output());
        assertThat(ended.exit()).as(ended.output()).isIn(MEASURED);
        ResultFiles files = new ResultFiles(out);
        Measured measured = files.read(experiment.name()).orElseThrow();
        assertThat(measured.about().form()).isEqualTo(Form.SHORT);
        assertThat(measured.figures()).isNotEmpty();
        sourcesStandOn(Files.readString(files.page(experiment.name())), experiment, measured);
        plots(files.beside(experiment.name()));
        assertThat(measured.figures()).allSatisfy((key, figure) -> {
            if (key.startsWith("verify.") && key.endsWith(".bad")) {
                assertThat(figure.value()).as(key).isZero();
            }
        });
    }

    private static void sourcesStandOn(String wrapped, Experiment experiment, Measured measured) {
        String page = wrapped.replaceAll("\\s+", " ");
        assertThat(page).doesNotContain("NaN", "null");
        assertThat(experiment.seeds()).allSatisfy(seed -> {
            assertThat(page).contains(Cells.seed(experiment.seeds(), seed.key()));
            measured.figure(seed.key()).ifPresent(figure -> assertThat(page).contains(Cells.cell(figure)));
        });
    }

    private static void plots(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path plot : files.filter(f -> f.toString().endsWith(".svg")).toList()) {
                assertThat(Files.size(plot)).as(plot.toString()).isLessThan(MOST_BYTES_OF_A_PLOT);
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(plot.toFile());
            }
        }
    }

    @Test
    void ctrl_c_under_load_leaves_nothing_behind() throws IOException, InterruptedException {
        Experiment lost = Experiments.named("third-lost").orElseThrow();
        Process lab = Lab.start(lost, temporary);
        Patience.until("the load", SOON, () -> Lab.output(temporary), said -> {
            assertThat(lab.isAlive()).as(said).isTrue();
            return said.contains("warming up");
        });
        Thread.sleep(3_000); // until the generator sends
        Lab.interrupt(lab);
        Lab.Ended ended = Lab.await(lab, lost, temporary);
        assertThat(ended.exit()).as(ended.output()).isEqualTo(130);
        assertThat(Lab.leftovers(lab, lost)).as(ended.output()).isEmpty();
        assertThat(temporary.resolve("third-lost.json")).doesNotExist();
    }
}
