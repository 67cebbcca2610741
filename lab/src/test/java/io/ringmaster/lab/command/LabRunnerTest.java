package io.ringmaster.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.cli.session.ServerCandidates;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.terminal.Abilities;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.page.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabRunnerTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> closed = new ArrayList<>();

    @TempDir
    private Path root;

    private LabRunner runner(boolean busy, double cores) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        var environment = new Environment(Map.of(), root, InputStream.nullInputStream(), false, print, print);
        var servers = new ServerCandidates(
                List.of(URI.create("http://127.0.0.1:9")),
                root.resolve("token"),
                "a test",
                LocalServers.NONE,
                new KeptServers(root));
        var console = new Console(print, print, new Abilities(false, false, 100));
        var session = new Session(environment, console, Format.TABLE, servers);
        return new LabRunner(session, files(), Form.SHORT, busy, () -> cores);
    }

    private ResultFiles files() {
        return new ResultFiles(root.resolve("results"));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Opens two things and measures one figure, or fails. */
    private final class Small implements Experiment {
        private final Conclusion.Kind kind;
        private final boolean fails;

        Small(Conclusion.Kind kind, boolean fails) {
            this.kind = kind;
            this.fails = fails;
        }

        @Override
        public String name() {
            return "small";
        }

        @Override
        public String question() {
            return "How small?";
        }

        @Override
        public List<Seed> seeds() {
            return List.of();
        }

        @Override
        public Set<Need> needs() {
            return Set.of();
        }

        @Override
        public Duration budget(Form form) {
            return Duration.ofSeconds(1);
        }

        @Override
        public void run(Bench bench, Form form, Figures figures) throws IOException {
            bench.closing(() -> closed.add("ring"));
            bench.closing(() -> closed.add("load"));
            if (fails) {
                throw new IOException("a node ended");
            }
            figures.put("size", 1, Unit.MIB);
        }

        @Override
        public Report report(Measured measured) {
            return new Report("None.", new Conclusion(kind, "It is."), List.of(), List.of(), List.of(), List.of());
        }
    }

    @Test
    void a_computer_with_other_work_is_refused_and_nothing_is_written() {
        assertThatThrownBy(() -> runner(false, 1.4).one(new Small(Conclusion.Kind.REACHED, false)))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.code()).isEqualTo(ExitCode.REFUSED);
                    assertThat(failure).hasMessageContaining("which takes 1.40 of its cores");
                    assertThat(failure.nextStep()).contains("--busy");
                });
        assertThat(files().folder()).doesNotExist();
        assertThat(root.resolve(".build/lab/work")).doesNotExist();
    }

    @Test
    void a_busy_run_measures_and_its_page_says_so() throws Exception {
        assertThat(runner(true, 1.4).one(new Small(Conclusion.Kind.REACHED, false)))
                .isZero();
        assertThat(files().read("small").orElseThrow().about().busy()).isTrue();
        assertThat(files().page("small")).content().contains("beside other work");
        assertThat(out()).contains("small: reached");
        assertThat(closed).containsExactly("load", "ring");
    }

    @Test
    void an_invalid_result_is_kept_and_ends_with_three() throws Exception {
        assertThat(runner(false, 0.1).one(new Small(Conclusion.Kind.INVALID, false)))
                .isEqualTo(ExitCode.REFUSED.number());
        assertThat(files().read("small").orElseThrow().about().busy()).isFalse();
    }

    @Test
    void a_failed_run_closes_what_it_opened_and_leaves_the_last_result() throws Exception {
        runner(false, 0.1).one(new Small(Conclusion.Kind.REACHED, false));
        var last = files().read("small");
        closed.clear();
        assertThatThrownBy(() -> runner(false, 0.1).one(new Small(Conclusion.Kind.REACHED, true)))
                .isInstanceOf(IOException.class)
                .hasMessage("a node ended");
        assertThat(closed).containsExactly("load", "ring");
        assertThat(files().read("small")).isEqualTo(last);
    }
}
