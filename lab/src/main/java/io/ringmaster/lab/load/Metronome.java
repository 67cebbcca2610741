package io.ringmaster.lab.load;

import io.ringmaster.json.Json;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The open-loop load generator of this project, as a process at raised priority. Each command has a name, by which its
 * files are found in the folder {@code load} of the run: {@code NAME.json}, {@code NAME.out}, {@code NAME.err}.
 */
public final class Metronome {
    private static final int INVALID = 3;
    private static final int LOST = 4;
    /** A machine that paused for a moment gets another chance, a machine that is too slow fails every time. */
    private static final int REPEATS = 2;
    /** To connect, to create the schema, and for the requests that time out. */
    private static final Duration SLACK = Duration.ofMinutes(2);
    /** Reading back takes as long as there are writes. */
    private static final Duration LONGEST_CHECK = Duration.ofMinutes(30);

    private final Bench bench;
    private final Path folder;
    private final MetronomeProgram program;

    private Metronome(Bench bench, MetronomeProgram program) throws IOException {
        this.bench = bench;
        this.folder = bench.folder("load");
        this.program = program;
    }

    /** @throws IOException it cannot be built; the message is cargo's */
    public static Metronome of(Bench bench) throws IOException, InterruptedException {
        return new Metronome(bench, MetronomeProgram.of(bench, System.getenv("METRONOME")));
    }

    static Metronome of(Bench bench, Path program) throws IOException, InterruptedException {
        return new Metronome(bench, MetronomeProgram.of(bench, program.toString()));
    }

    /** What happens to the servers while a load runs. */
    @FunctionalInterface
    public interface During {
        /** Called when the first second of the load is reported. */
        void run() throws IOException, InterruptedException;
    }

    /** A run that has started. It ends with the bench; {@link #end} waits for its own end. */
    public static final class Running {
        private final Child child;
        private final Path result;
        private final Duration limit;

        private Running(Child child, Path result, Duration limit) {
            this.child = child;
            this.result = result;
            this.limit = limit;
        }

        /** Waits until its first second is reported. */
        public void awaitFirstSecond() throws IOException, InterruptedException {
            child.awaitLine(child.err(), line -> line.stripLeading().matches("\\d+s .*"), limit);
        }

        /** @throws IOException it measured nothing; the message has its reason */
        public RunOutcome end() throws IOException, InterruptedException {
            int code = child.await(limit);
            if (code != 0 && code != INVALID) {
                throw child.failed(code);
            }
            return RunOutcome.of(result, RunResult.read(result));
        }
    }

    /** Starts a load and returns at once, for several that run together. It is not repeated. */
    public Running start(String name, Load load, Arrivals schedule) throws IOException {
        Path result = folder.resolve(name + ".json");
        List<String> options = new ArrayList<>(List.of("run"));
        options.addAll(load.options());
        options.addAll(load.hosts().options());
        options.addAll(schedule.options());
        options.addAll(List.of("--output", result.toString()));
        return new Running(start(name, options), result, schedule.length().plus(SLACK));
    }

    /** Runs a load. An invalid run is repeated twice at most. */
    public RunOutcome run(String name, Load load, Arrivals schedule) throws IOException, InterruptedException {
        return run(name, load, schedule, () -> {});
    }

    /**
     * Runs a load beside something. An invalid run is repeated twice at most, and what happens beside it too.
     *
     * @return the first valid run, else the last
     */
    public RunOutcome run(String name, Load load, Arrivals schedule, During during)
            throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Running running = start(attempt == 1 ? name : name + "-" + attempt, load, schedule);
            try {
                running.awaitFirstSecond();
                if (running.child.isAlive()) {
                    during.run();
                }
                RunOutcome outcome = running.end();
                if (!(outcome instanceof InvalidRun invalid) || attempt > REPEATS) {
                    return outcome;
                }
                bench.say(name + " is invalid: " + invalid.reason() + "; repeating it");
            } finally {
                running.child.close();
            }
        }
    }

    /**
     * Reads every acknowledged write of a run back.
     *
     * @param run its result file
     * @param hosts servers that are up
     */
    public VerifyResult verify(String name, Path run, Hosts hosts, Consistency level)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("verify", run.toString(), "--read-consistency", level.name()));
        options.addAll(hosts.options());
        try (Child child = start(name, options)) {
            int code = child.await(LONGEST_CHECK);
            if (code != 0 && code != LOST) {
                throw child.failed(code);
            }
            return VerifyResult.parse(Child.lines(child.out()), code == 0);
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /** Compares result files of runs. Three on each side show the variance between runs. */
    public Comparison compare(String name, List<Path> before, List<Path> after)
            throws IOException, InterruptedException {
        try (Child child = start(name, List.of("compare", joined(before), joined(after), "--output", "json"))) {
            int code = child.await(SLACK);
            if (code != 0) {
                throw child.failed(code);
            }
            return Json.parse(Files.readString(child.out()), Comparison.class);
        } catch (UncheckedIOException e) {
            throw new IOException(name + ": metronome compare printed no comparison: " + e.getCause(), e);
        }
    }

    private static String joined(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    private Child start(String name, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(program.prefix());
        command.add(program.program().toString());
        command.addAll(options);
        return Child.start(bench, name, folder, command);
    }
}
