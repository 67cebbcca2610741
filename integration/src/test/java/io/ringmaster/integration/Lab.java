package io.ringmaster.integration;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code ./ringmaster lab run NAME --short --busy} as a process group of its own, and what it may leave behind. Its
 * home has the cache of the tests, because the jobs of tests have no network.
 */
final class Lab {
    static final Path FOLDER = Playground.ROOT.resolve(".build/lab");
    static final Path HOME = FOLDER.resolve("home");
    /** Beyond the budget: the build, the start of the program, and a computer with other work. No time is judged. */
    private static final Duration SLACK = Duration.ofMinutes(10);

    private static final Duration CLEANS_UP = Duration.ofMinutes(2);

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final int DEPTH = 8;

    private Lab() {}

    /** @param output what the program said, both streams */
    record Ended(int exit, String output) {}

    /** Gives the lab the jars of Cassandra that the tests have. */
    static void shareCache() {
        Path cache = HOME.resolve("cache");
        Path ours = Playground.HOME.resolve("cache");
        try {
            Files.createDirectories(HOME);
            if (!Files.exists(cache) && Files.exists(ours)) {
                Files.deleteIfExists(cache);
                Files.createSymbolicLink(cache, ours.toRealPath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Process start(Experiment experiment, Path out) {
        List<String> command = new ArrayList<>(List.of("setsid", Playground.ROOT + "/ringmaster"));
        command.addAll(List.of("lab", "run", experiment.name(), "--short", "--busy", "--out", out.toString()));
        try {
            Files.createDirectories(out);
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log(out).toFile());
            Playground.metronome().ifPresent(m -> builder.environment().putIfAbsent("METRONOME", m.toString()));
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start ./ringmaster", e);
        }
    }

    private static Path log(Path out) {
        return out.resolve("lab.log");
    }

    static String output(Path out) {
        return Playground.text(log(out));
    }

    /** Waits as long as the experiment may take. One that takes longer is interrupted, so that it cleans up. */
    static Ended await(Process lab, Experiment experiment, Path out) throws InterruptedException {
        Duration limit = experiment.budget(Form.SHORT).plus(SLACK);
        if (!lab.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
            interrupt(lab);
            lab.waitFor(CLEANS_UP.toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError(
                    experiment.name() + " did not end in " + limit.toSeconds() + " s:\n" + output(out));
        }
        return new Ended(lab.exitValue(), output(out));
    }

    /** SIGINT to all processes of its group, as Ctrl-C in a terminal. */
    static void interrupt(Process lab) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("kill", "-INT", "--", "-" + lab.pid()).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("kill -INT -- -" + lab.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start kill", e);
        }
    }

    /** Processes, control groups, and data of rings. Result files and logs of the run are no leftovers. */
    static List<String> leftovers(Process lab, Experiment experiment) throws IOException {
        List<String> left = new ArrayList<>();
        for (ProcessHandle process : Processes.mentioning(FOLDER + "/")) {
            left.add("process " + process.pid() + ": " + String.join(" ", Processes.commandLine(process.pid())));
        }
        for (Path path : List.of(HOME.resolve("playground"), FOLDER.resolve("work/" + experiment.name() + "/ring"))) {
            if (Files.exists(path)) {
                left.add(path.toString());
            }
        }
        left.addAll(groups(lab.pid()));
        return left;
    }

    /** Control groups of the lab's playground ({@code CgroupNames} has their form), and of its rings. */
    private static List<String> groups(long pid) throws IOException {
        if (!Files.isDirectory(CGROUPS)) {
            return List.of();
        }
        Path home = HOME.toRealPath();
        List<String> prefixes = new ArrayList<>(List.of("ringmaster-lab-" + pid + "-"));
        for (String datacenter : List.of("dc1", "dc2")) {
            String allocations = home + "/playground/" + datacenter + "/allocations";
            prefixes.add("ringmaster-" + Integer.toHexString(allocations.hashCode()) + "-");
        }
        try (Stream<Path> found = Files.find(
                CGROUPS,
                DEPTH,
                (path, attributes) -> attributes.isDirectory()
                        && prefixes.stream().anyMatch(path.getFileName().toString()::startsWith))) {
            return found.map(Path::toString).toList();
        } catch (UncheckedIOException e) {
            return List.of("control groups came and went while they were listed: " + e.getMessage());
        }
    }
}
