package io.ringmaster.lab.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.host.FileTree;
import io.ringmaster.host.HeldLock;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.machine.Checkout;
import io.ringmaster.lab.machine.MachineFacts;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Runs experiments one after another. One lab at a time in a checkout: a lock keeps it so. */
final class LabRunner {
    /** Cores that other work may take before a run. */
    private static final double QUIET = 0.3;

    private static final int PATIENCE = 20;
    private static final Duration PAUSE = Duration.ofSeconds(3);

    /** How much of the processors others use. */
    interface OtherWork {
        double cores() throws IOException, InterruptedException;
    }

    private final Session session;
    private final ResultFiles files;
    private final Form form;
    private final boolean busy;
    private final OtherWork otherWork;
    private final Path root;

    /**
     * @param busy whether runs start although the computer has other work
     * @param otherWork measured before each run
     */
    LabRunner(Session session, ResultFiles files, Form form, boolean busy, OtherWork otherWork) {
        this.session = session;
        this.files = files;
        this.form = form;
        this.busy = busy;
        this.otherWork = otherWork;
        this.root = session.environment().root();
    }

    /** @return exit code of the process */
    int one(Experiment experiment) throws IOException, InterruptedException {
        checkNeeds(experiment);
        HeldLock held = lock();
        try (held) {
            return measure(experiment);
        }
    }

    /** Runs all that are built; a failure does not end the others. */
    int all(boolean again) throws IOException, InterruptedException {
        String commit = Checkout.commit(root);
        Duration sum = Experiments.BUILT.stream().map(e -> e.budget(form)).reduce(Duration.ZERO, Duration::plus);
        say("all experiments: " + LabScreen.time(sum) + " at most");
        boolean failed = false;
        boolean invalid = false;
        for (Experiment experiment : Experiments.BUILT) {
            try {
                if (!again && isMeasured(experiment, commit)) {
                    say(experiment.name() + ": this commit has it; --again measures it once more");
                    continue;
                }
                awaitQuiet();
                invalid |= one(experiment) != ExitCode.OK.number();
            } catch (IOException | RuntimeException e) {
                say(experiment.name() + " failed: " + e.getMessage());
                boolean refused = e instanceof Failure failure && failure.code() == ExitCode.REFUSED;
                failed |= !refused;
                invalid |= refused;
            }
        }
        ExitCode code = failed ? ExitCode.FAILED : invalid ? ExitCode.REFUSED : ExitCode.OK;
        return code.number();
    }

    /** What the experiment before has stopped needs a moment to end. */
    private void awaitQuiet() throws IOException, InterruptedException {
        for (int left = PATIENCE; !busy && left > 0 && otherWork.cores() > QUIET; left--) {
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private boolean isMeasured(Experiment experiment, String commit) throws IOException {
        return files.read(experiment.name())
                .filter(last -> last.about().commit().equals(commit) && Checkout.isClean(commit))
                .filter(last -> last.about().form() == form)
                .filter(last -> experiment.report(last).verdict().kind() != Conclusion.Kind.INVALID)
                .isPresent();
    }

    private void checkNeeds(Experiment experiment) {
        for (Need need : Need.values()) {
            if (experiment.needs().contains(need) && !need.isMet(session.environment())) {
                throw new Failure(
                        ExitCode.FAILED,
                        experiment.name() + " needs " + need.program() + "; nothing was started",
                        need.nextStep());
            }
        }
    }

    private int measure(Experiment experiment) throws IOException, InterruptedException {
        Map<String, String> machine = MachineFacts.read();
        Path all = root.resolve(".build/lab/work");
        Orphans.end(all);
        double cores = otherWork.cores();
        boolean other = cores > QUIET;
        if (other && !busy) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "this computer has other work, which takes " + Cells.number(cores)
                            + " of its cores; figures need it" + " below " + QUIET,
                    "wait, or add --busy, which the page will say");
        }
        Path work = all.resolve(experiment.name());
        FileTree.delete(work);
        Path results = Files.createDirectories(work.resolve("results"));
        say(experiment.name() + ": " + LabScreen.time(experiment.budget(form)) + " at most; files of the run are in "
                + work);
        String commit = Checkout.commit(root);
        Instant started = Instant.now();
        Figures figures = new Figures();
        double seconds;
        try (Bench bench = new Bench(root, work, results, this::say)) {
            Interrupts.during(bench, () -> experiment.run(bench, form, figures));
            seconds = bench.seconds();
        }
        Measured measured =
                figures.measured(new About(experiment.name(), form, commit, started, seconds, machine, other));
        files.write(measured, results);
        Report report = new Pages(files, root).write(experiment, measured);
        session.console()
                .print(List.of(
                        Line.of(
                                Style.BOLD,
                                experiment.name() + ": "
                                        + report.verdict().kind().text()),
                        Line.of(report.verdict().sentence()),
                        Line.of(Style.DIM, "the page is " + files.page(experiment.name()))));
        return report.verdict().kind() == Conclusion.Kind.INVALID ? ExitCode.REFUSED.number() : ExitCode.OK.number();
    }

    private HeldLock lock() throws IOException {
        Path folder = Files.createDirectories(root.resolve(".build/lab"));
        return HeldLock.tryTake(folder.resolve("lock"))
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "another lab runs in this checkout; two would measure each other",
                        "wait for it, then: " + PROGRAM + " lab list"));
    }

    private void say(String text) {
        session.console().note(Line.of(text));
    }
}
