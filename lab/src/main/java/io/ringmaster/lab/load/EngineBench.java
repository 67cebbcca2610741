package io.ringmaster.lab.load;

import io.ringmaster.lab.bench.Bench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The benchmark {@code bench/engine}, a script: one node for each storage, one running at a time, on a disk in memory.
 * It ends with the bench, and takes nodes and disk with it.
 */
public final class EngineBench {
    private static final Duration LONGEST = Duration.ofMinutes(45);
    /** To kill three nodes and unmount their disk. */
    private static final Duration ORDERLY = Duration.ofSeconds(45);

    private static final Duration POLL = Duration.ofSeconds(1);
    /** From here on it prints what the results have, too. */
    private static final String SUMMARY = "medians:";

    private final Bench bench;
    private final Path metronome;

    EngineBench(Bench bench, Path metronome) {
        this.bench = bench;
        this.metronome = metronome;
    }

    /** @throws IOException metronome cannot be built; the message is cargo's */
    public static EngineBench of(Bench bench) throws IOException, InterruptedException {
        return new EngineBench(
                bench, MetronomeProgram.of(bench, System.getenv("METRONOME")).program());
    }

    /** @throws IOException the benchmark failed; the message has its reason */
    public EngineResults run(EnginePlan plan) throws IOException, InterruptedException {
        Path folder = bench.folder("engine");
        EngineResults results = new EngineResults(bench.folder("engine/results"), plan);
        List<String> command = new ArrayList<>(List.of("env", "METRONOME=" + metronome, "RESULTS=" + results.folder()));
        command.addAll(plan.settings());
        command.add(bench.root().resolve("bench/engine/with-disk").toString());
        command.add(bench.root().resolve("bench/engine/run").toString());
        command.addAll(plan.arguments());
        try (Child child = Child.start(bench, "engine", folder, command, ORDERLY)) {
            follow(child);
            int code = child.await(LONGEST);
            if (code != 0) {
                throw child.failed(code);
            }
        }
        return results;
    }

    /** Reports what it prints to the user, until it ends. */
    private void follow(Child child) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        for (int said = 0; child.isAlive() && System.nanoTime() < deadline; Thread.sleep(POLL.toMillis())) {
            String text = Files.readString(child.out(), StandardCharsets.UTF_8);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            List<String> lines =
                    whole.lines().takeWhile(line -> !line.equals(SUMMARY)).toList();
            lines.stream().skip(said).filter(line -> !line.isBlank()).forEach(bench::say);
            said = lines.size();
        }
    }
}
