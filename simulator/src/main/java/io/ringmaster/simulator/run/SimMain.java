package io.ringmaster.simulator.run;

import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.run.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./dev sim --seed 42 --runs 200}. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Runs the real controller under faults on a simulated pool, ring, network and clock."
                + " Exits with 1 if a run fails.")
public final class SimMain implements Callable<Integer> {
    private static final int TRACES_SHOWN = 3;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--runs",
            defaultValue = "1",
            description = "Number of runs, with consecutive seeds (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--scenario",
            defaultValue = "mixed",
            description = "mixed, calm, or kinds of faults separated by commas: kill, session, store, messages,"
                    + " executor-crash, daemon-crash, slow-start, failed-start, cut, machine, disk"
                    + " (default: ${DEFAULT-VALUE}).")
    private String scenario = "mixed";

    @Option(
            names = "--plant",
            defaultValue = "NONE",
            description = "Plants a bug, which an invariant must find: ${COMPLETION-CANDIDATES}"
                    + " (default: ${DEFAULT-VALUE}).")
    private Mutation plant = Mutation.NONE;

    @Option(names = "--verbose", description = "Print the whole trace of every run.")
    private boolean verbose;

    @Option(
            names = "--tail",
            defaultValue = "40",
            description = "Trace lines to print of a failed run (default: ${DEFAULT-VALUE}).")
    private int tail;

    public static void main(String[] args) {
        System.exit(new CommandLine(new SimMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        long startNanos = System.nanoTime();
        SimOptions options = new SimOptions(scenario, plant, verbose ? System.out::println : line -> {});
        List<Outcome> outcomes = play(options);
        List<Outcome> failed = outcomes.stream().filter(o -> !o.passed()).toList();
        failed.stream().limit(TRACES_SHOWN).forEach(this::show);
        failed.stream().skip(TRACES_SHOWN).forEach(o -> System.out.println("seed " + o.seed() + ": " + o.violation()));
        double virtualHours =
                outcomes.stream().mapToLong(Outcome::virtualMillis).sum() / 3_600_000.0;
        System.out.printf(
                Locale.ROOT,
                "%d runs, %d failed, %d rows checked, %d excused, %.1f hours of virtual time in %.1f s%n",
                runs,
                failed.size(),
                outcomes.stream().mapToInt(Outcome::rowsChecked).sum(),
                outcomes.stream().mapToInt(Outcome::rowsExcused).sum(),
                virtualHours,
                (System.nanoTime() - startNanos) / 1e9);
        return failed.isEmpty() ? 0 : 1;
    }

    /** A core takes the next seed. A parallel stream gives each its share in advance: one ends before the other. */
    private List<Outcome> play(SimOptions options) throws InterruptedException, ExecutionException {
        ExecutorService cores =
                Executors.newFixedThreadPool(verbose ? 1 : Runtime.getRuntime().availableProcessors());
        try {
            List<Callable<Outcome>> all = LongStream.range(seed, seed + runs)
                    .<Callable<Outcome>>mapToObj(s -> () -> kept(Simulation.run(s, options)))
                    .toList();
            List<Outcome> outcomes = new ArrayList<>();
            for (Future<Outcome> outcome : cores.invokeAll(all)) {
                outcomes.add(outcome.get());
            }
            return outcomes;
        } finally {
            cores.shutdown();
        }
    }

    /** The traces of thousands of runs would fill the heap. */
    private static Outcome kept(Outcome outcome) {
        return outcome.passed() ? outcome.withoutLines() : outcome;
    }

    private void show(Outcome outcome) {
        List<String> lines = outcome.lines();
        lines.subList(Math.max(0, lines.size() - tail), lines.size()).forEach(System.out::println);
        System.out.println(
                "seed " + outcome.seed() + " with faults " + outcome.faults() + " fails: " + outcome.violation());
        System.out.println("replay: ./dev sim --seed " + outcome.seed() + " --scenario " + scenario
                + (plant == Mutation.NONE ? "" : " --plant " + plant) + " --verbose\n");
    }
}
