package io.ringmaster.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.cli.CommandSet;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.json.Json;
import io.ringmaster.lab.experiment.Experiments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabCommandTest {
    private static final CommandSet COMMANDS = new CommandSet(List.of(LabCommand.class), List.of(), LocalServers.NONE);
    private static final Path RECORDED = Path.of("src/test/resources/results");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path root;

    private int run(String line) {
        var environment = new Environment(
                Map.of("RINGMASTER_HOME", root.resolve("home").toString(), "PATH", ""),
                root,
                InputStream.nullInputStream(),
                false,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Program.run(COMMANDS, environment, line.split(" ", -1));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private void result(String name) throws IOException {
        Path folder = Files.createDirectories(root.resolve("docs/lab"));
        Files.copy(RECORDED.resolve(name + ".json"), folder.resolve(name + ".json"));
    }

    @Test
    void an_unknown_experiment_is_a_usage_error_and_nothing_is_written() {
        for (String verb : List.of("run", "report")) {
            assertThat(run("lab " + verb + " milion")).isEqualTo(ExitCode.USAGE.number());
            assertThat(err()).contains("there is no experiment 'milion'", "lab list");
            err.reset();
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void an_experiment_that_is_not_built_yet_says_so() {
        String later = Experiments.PLACES.get(0).name();
        assertThat(run("lab run " + later + " --short")).isEqualTo(ExitCode.USAGE.number());
        assertThat(err()).contains("the experiment " + later + " is not built yet");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void a_report_without_a_result_names_the_run() {
        assertThat(run("lab report startup")).isEqualTo(ExitCode.FAILED.number());
        assertThat(err()).contains(root.resolve("docs/lab/startup.json").toString(), "lab run startup");
        assertThat(run("lab report all")).isEqualTo(ExitCode.OK.number());
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void a_report_writes_the_pages_of_all_results() throws IOException {
        result("startup");
        result("third-lost");
        assertThat(run("lab report all")).isEqualTo(ExitCode.OK.number());
        assertThat(out()).contains("startup.md", "third-lost.md").doesNotContain("replication.md");
        assertThat(root.resolve("docs/lab/third-lost.md")).content().contains("**Verdict: reached.**");
    }

    @Test
    void a_corrupt_result_is_named() throws IOException {
        result("startup");
        Path file = root.resolve("docs/lab/startup.json");
        Files.writeString(file, "{");
        for (String line : List.of("lab report startup", "lab list")) {
            assertThat(run(line)).isEqualTo(ExitCode.FAILED.number());
            assertThat(err()).contains(file + " is not a result of the lab").doesNotContain("defect");
            err.reset();
        }
    }

    @Test
    void the_list_has_every_experiment_with_its_last_verdict() throws IOException {
        result("third-lost");
        assertThat(run("lab list")).isEqualTo(ExitCode.OK.number());
        assertThat(out().lines().filter(line -> line.startsWith("third-lost")))
                .singleElement()
                .asString()
                .contains("170 s", "6 min", "reached", "c162e61b2c-dirty");
        assertThat(out().lines()
                        .filter(line -> line.startsWith("startup"))
                        .findFirst()
                        .orElseThrow())
                .contains("not run");
        Experiments.PLACES.forEach(place ->
                assertThat(out().lines()).anyMatch(l -> l.startsWith(place.name()) && l.contains("not built yet")));
    }

    @Test
    void the_list_is_json_for_programs() throws IOException {
        result("third-lost");
        assertThat(run("lab list -o json")).isEqualTo(ExitCode.OK.number());
        JsonNode rows = Json.mapper().readTree(out());
        assertThat(rows).hasSize(Experiments.BUILT.size() + Experiments.PLACES.size());
        for (JsonNode row : rows) {
            boolean lost = row.get("name").asText().equals("third-lost");
            assertThat(row.path("verdict").asText("")).isEqualTo(lost ? "reached" : "");
        }
    }

    @Test
    void an_experiment_that_lacks_a_program_says_which_and_starts_nothing() {
        assertThat(run("lab run third-lost --short")).isEqualTo(ExitCode.FAILED.number());
        assertThat(err()).contains("third-lost needs metronome; nothing was started", "rustup");
        assertThat(root).isEmptyDirectory();
    }
}
