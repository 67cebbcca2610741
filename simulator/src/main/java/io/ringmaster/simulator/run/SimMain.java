package io.ringmaster.simulator.run;

import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.repository.ProtocolBug;
import io.ringmaster.simulator.run.Simulation.Outcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./dev sim --seed 42 --runs 200}. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Runs the real controller under faults on a simulated pool, ring, network and clock."
                + " Exits with 1 if a run fails.")
public final class SimMain implements Callable<Integer> {
    private static final int TRACES_SHOWN = 3;

    @Spec
    private CommandSpec spec;

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
                    + " executor-crash, daemon-crash, slow-start, failed-start, cut, machine, disk. Or repository:"
                    + " the protocol of backups alone"
                    + " (default: ${DEFAULT-VALUE}).")
    private String scenario = "mixed";

    @Option(
            names = "--plant",
            defaultValue = "NONE",
            description = "Plants a bug, which an invariant must find: a name of the tables in docs/simulator.md"
                    + " (default: ${DEFAULT-VALUE}).")
    private String plant = "NONE";

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
    public Integer call() throws InterruptedException, ExecutionException, IOException {
        if (scenario.equals(RepositoryRuns.SCENARIO)) {
            ProtocolBug bug = named(ProtocolBug.class);
            return new RepositoryRuns(seed, runs, bug, verbose, tail).play() == 0 ? 0 : 1;
        }
        long startNanos = System.nanoTime();
        SimOptions options =
                new SimOptions(scenario, named(Mutation.class), verbose ? System.out::println : line -> {});
        List<Outcome> outcomes = Runs.of(seed, runs, verbose, s -> kept(Simulation.run(s, options)));
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

    private <T extends Enum<T>> T named(Class<T> bugs) {
        return Arrays.stream(bugs.getEnumConstants())
                .filter(bug -> bug.name().equalsIgnoreCase(plant))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "bug '" + plant + "' is unknown, allowed: " + List.of(bugs.getEnumConstants())));
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
                + (plant.equals("NONE") ? "" : " --plant " + plant) + " --verbose\n");
    }
}
