package io.ringmaster.simulator.run;

import io.ringmaster.simulator.repository.ProtocolBug;
import io.ringmaster.simulator.repository.RepositorySimulation;
import io.ringmaster.simulator.repository.RepositorySimulation.Judgement;
import io.ringmaster.simulator.repository.Workshop;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * {@code ./dev sim --scenario repository}: runs of the protocol of backups.
 *
 * @param seed of the first run
 * @param runs with consecutive seeds
 * @param tail lines to print of a failed run
 */
record RepositoryRuns(long seed, int runs, ProtocolBug plant, boolean verbose, int tail) {
    /** The name of the scenario. */
    static final String SCENARIO = "repository";

    private static final int TRACES_SHOWN = 3;

    /**
     * Plays and prints.
     *
     * @return how many failed
     */
    int play() throws InterruptedException, ExecutionException, IOException {
        long startNanos = System.nanoTime();
        Consumer<String> lines = verbose ? System.out::println : line -> {};
        try (var workshop = new Workshop()) {
            List<Judgement> judgements =
                    Runs.of(seed, runs, verbose, s -> kept(RepositorySimulation.run(s, plant, lines, workshop)));
            List<Judgement> failed =
                    judgements.stream().filter(v -> !v.passed()).toList();
            failed.stream().limit(TRACES_SHOWN).forEach(this::show);
            failed.stream()
                    .skip(TRACES_SHOWN)
                    .forEach(v -> System.out.println("seed " + v.seed() + ": " + v.violation()));
            System.out.printf(
                    Locale.ROOT,
                    "%d runs, %d failed, %d backups complete, %d restores done, %.1f days of virtual time in %.1f s%n",
                    runs,
                    failed.size(),
                    judgements.stream().mapToInt(Judgement::backups).sum(),
                    judgements.stream().mapToInt(Judgement::restores).sum(),
                    judgements.stream().mapToLong(Judgement::virtualMillis).sum() / 86_400_000.0,
                    (System.nanoTime() - startNanos) / 1e9);
            return failed.size();
        }
    }

    /** The traces of thousands of runs would fill the heap. */
    private static Judgement kept(Judgement judgement) {
        return judgement.passed() ? judgement.withoutLines() : judgement;
    }

    private void show(Judgement judgement) {
        List<String> lines = judgement.lines();
        lines.subList(Math.max(0, lines.size() - tail), lines.size()).forEach(System.out::println);
        System.out.println("seed " + judgement.seed() + " fails: " + judgement.violation());
        System.out.println("replay: ./dev sim --scenario " + SCENARIO + " --seed " + judgement.seed()
                + (plant == ProtocolBug.NONE ? "" : " --plant " + plant) + " --verbose\n");
    }
}
