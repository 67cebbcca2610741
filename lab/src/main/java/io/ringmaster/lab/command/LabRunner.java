package io.ringmaster.lab.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.host.FileTree;
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
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Runs experiments one after another. One lab at a time on a computer: a lock in the checkout keeps it so. */
final class LabRunner {
    private static final double QUIET = 1.0;

    private final Session session;
    private final ResultFiles files;
    private final Form form;
    private final boolean busy;
    private final DoubleSupplier load;
    private final Path root;

    /**
     * @param busy whether runs start although the computer has other work
     * @param load the load average of the last minute
     */
    LabRunner(Session session, ResultFiles files, Form form, boolean busy, DoubleSupplier load) {
        this.session = session;
        this.files = files;
        this.form = form;
        this.busy = busy;
        this.load = load;
        this.root = session.environment().root();
    }

    /** @return exit code of the process */
    int one(Experiment experiment) throws IOException, InterruptedException {
        checkNeeds(experiment);
        try (FileChannel channel = lockFile()) {
            lock(channel);
            return measure(experiment);
        }
    }

    /** Runs all that are built; a failure does not end the others. */
    int all(boolean again) throws IOException, InterruptedException {
        String commit = Checkout.commit(root);
        Duration sum = Experiments.BUILT.stream().map(e -> e.budget(form)).reduce(Duration.ZERO, Duration::plus);
        say("all experiments: " + LabScreen.time(sum) + " at most");
        int worst = 0;
        for (Experiment experiment : Experiments.BUILT) {
            if (!again && isMeasured(experiment, commit)) {
                say(experiment.name() + ": this commit has it; --again measures it once more");
                continue;
            }
            try {
                worst = Math.max(worst, one(experiment));
            } catch (IOException | Failure e) {
                say(experiment.name() + " failed: " + e.getMessage());
                worst = Math.max(worst, ExitCode.FAILED.number());
            }
        }
        return worst;
    }

    private boolean isMeasured(Experiment experiment, String commit) throws IOException {
        return files.read(experiment.name())
                .map(Measured::about)
                .filter(about -> about.commit().equals(commit) && about.form() == form)
                .isPresent();
    }

    private void checkNeeds(Experiment experiment) {
        for (Need need : experiment.needs()) {
            if (!need.isMet(session.environment())) {
                throw new Failure(
                        ExitCode.FAILED,
                        experiment.name() + " needs " + need.program() + "; nothing was started",
                        need.nextStep());
            }
        }
    }

    private int measure(Experiment experiment) throws IOException, InterruptedException {
        Map<String, String> machine = MachineFacts.read();
        double average = load.getAsDouble();
        boolean other = average > QUIET;
        if (other && !busy) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "this computer has other work: its load average is " + average + ", and figures need one below "
                            + QUIET,
                    "wait, or add --busy, which the page will say");
        }
        Path work = root.resolve(".build/lab/work").resolve(experiment.name());
        FileTree.delete(work);
        Files.createDirectories(work);
        Files.createDirectories(files.beside(experiment.name()));
        say(experiment.name() + ": " + LabScreen.time(experiment.budget(form)) + " at most; files of the run are in "
                + work);
        String commit = Checkout.commit(root);
        Instant started = Instant.now();
        Figures figures = new Figures();
        double seconds;
        try (Bench bench = new Bench(root, work, files.beside(experiment.name()), this::say)) {
            Interrupts.during(bench, () -> experiment.run(bench, form, figures));
            seconds = bench.seconds();
        }
        Measured measured =
                figures.measured(new About(experiment.name(), form, commit, started, seconds, machine, other));
        files.write(measured);
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

    private FileChannel lockFile() throws IOException {
        Path folder = Files.createDirectories(root.resolve(".build/lab"));
        return FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Locks the file until the channel is closed. */
    private static void lock(FileChannel channel) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "another lab runs in this checkout; two would measure each other",
                    "wait for it, then: " + PROGRAM + " lab list");
        }
    }

    private void say(String text) {
        session.console().note(Line.of(text));
    }
}
