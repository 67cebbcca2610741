package io.ringmaster.lab.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.machine.Idle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster lab}: the figures of the sources, measured again. */
@Command(
        name = "lab",
        description = "Measure the figures that this project makes claims about, one command each.",
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Examples:", "  ringmaster lab list", "  ringmaster lab run response --short"})
public final class LabCommand {
    static final String ALL = "all";

    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List the experiments with their last verdicts.",
            footer = {"", "Example:", "  ringmaster lab list"})
    void list() throws IOException {
        Session session = root.session();
        var rows = LabScreen.rows(files(session, null));
        session.print(rows, () -> LabScreen.list(rows, session.console().width()));
    }

    @Command(
            name = "run",
            description = {
                "Run an experiment on real Cassandra on this computer, and write docs/lab/NAME.json and its page.",
                "Exits with 3 when the figures are invalid, for example because the computer was busy."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster lab run response --short",
                "  ringmaster lab run third-lost --out /tmp/lab",
                "  ringmaster lab run all"
            })
    int run(
            @Parameters(paramLabel = "NAME", description = "An experiment of 'lab list', or all.") String name,
            @Option(names = "--short", description = "Under three minutes: only shows that it works.") boolean brief,
            @Option(
                            names = "--out",
                            paramLabel = "DIR",
                            description = "Where results go; default: docs/lab, for --short .build/lab/short.")
                    @Nullable
                    Path out,
            @Option(names = "--busy", description = "Run although the computer has other work; the page says so.")
                    boolean busy,
            @Option(names = "--again", description = "With all: also what this commit has measured.") boolean again)
            throws IOException, InterruptedException {
        Session session = root.session();
        Form form = brief ? Form.SHORT : Form.FULL;
        Path target = out != null || !brief ? out : session.environment().root().resolve(".build/lab/short");
        var runner = new LabRunner(session, files(session, target), form, busy, Idle::coresAtWork);
        return name.equals(ALL) ? runner.all(again) : runner.one(experiment(name));
    }

    @Command(
            name = "report",
            description = "Write the pages again from the figures, without a run.",
            footer = {"", "Examples:", "  ringmaster lab report response", "  ringmaster lab report all"})
    void report(
            @Parameters(paramLabel = "NAME", description = "An experiment of 'lab list', or all.") String name,
            @Option(names = "--out", paramLabel = "DIR", description = "Where results are; default: docs/lab.")
                    @Nullable
                    Path out)
            throws IOException, InterruptedException {
        Session session = root.session();
        var pages = new Pages(files(session, out), session.environment().root());
        List<Experiment> wanted = name.equals(ALL) ? Experiments.BUILT : List.of(experiment(name));
        for (Experiment experiment : wanted) {
            var measured = pages.files().read(experiment.name());
            if (measured.isEmpty() && !name.equals(ALL)) {
                throw new Failure(
                        ExitCode.FAILED,
                        "there is no result in " + pages.files().json(name),
                        PROGRAM + " lab run " + name);
            }
            if (measured.isPresent()) {
                pages.write(experiment, measured.get());
                session.console().print("wrote " + pages.files().page(experiment.name()));
            }
        }
    }

    private static ResultFiles files(Session session, @Nullable Path out) {
        return new ResultFiles(out == null ? session.environment().root().resolve("docs/lab") : out.toAbsolutePath());
    }

    private static Experiment experiment(String name) {
        return Experiments.named(name).orElseThrow(() -> {
            boolean later = Experiments.PLACES.stream().anyMatch(p -> p.name().equals(name));
            return new Failure(
                    ExitCode.USAGE,
                    later ? "the experiment " + name + " is not built yet" : "there is no experiment '" + name + "'",
                    PROGRAM + " lab list");
        });
    }
}
