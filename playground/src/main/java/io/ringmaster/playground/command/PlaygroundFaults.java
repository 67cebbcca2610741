package io.ringmaster.playground.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.FaultRunner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.TypeConversionException;

/**
 * Fault injection in a running playground: {@code playground cut}, {@code slow}, {@code heal}, {@code kill}, {@code
 * revive}.
 */
final class PlaygroundFaults {
    private static final int PERCENT_MAX = 100;
    /** With a longer round trip servers time out before their peers answer. */
    private static final int SLOWEST_SECONDS = 5;

    private PlaygroundFaults() {}

    @Command(
            name = "cut",
            description = {
                "Cut the link between two datacenters: all packets are dropped, in both directions, including those in "
                        + "flight. Needs a playground that was started with --wan."
            },
            footer = {"", "Example:", "  ringmaster playground cut dc1 dc2"})
    static final class Cut implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(index = "0", paramLabel = "DC", description = "One datacenter.")
        private String a;

        @Parameters(index = "1", paramLabel = "DC", description = "The other.")
        private String b;

        @Override
        public Integer call() throws InterruptedException {
            return FaultRunner.of(parent.session()).cut(a, b).number();
        }
    }

    @Command(
            name = "slow",
            description = {
                "Give the link between two datacenters a longer round trip (needs --wan), or slow down a machine: its "
                        + "nodes get only a part of one CPU, as beside a noisy neighbour."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster playground slow dc1 dc2 300ms",
                "  ringmaster playground slow machine-2              the one of the first datacenter",
                "  ringmaster playground slow dc2/machine-1 --cpu 5"
            })
    static final class Slow implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(
                arity = "1..3",
                paramLabel = "DC DC TIME | MACHINE",
                description = "Two datacenters and their round trip, or a machine such as dc1/machine-2.")
        private List<String> what;

        @Option(
                names = "--cpu",
                paramLabel = "PERCENT",
                defaultValue = "10",
                description = "Share of one CPU for the nodes of a machine (default: ${DEFAULT-VALUE}).")
        private int cpuPercent;

        @Override
        public Integer call() throws InterruptedException {
            if (cpuPercent < 1 || cpuPercent > PERCENT_MAX) {
                throw new Failure(ExitCode.USAGE, "--cpu " + cpuPercent + " must be 1 to " + PERCENT_MAX, null);
            }
            FaultRunner faults = FaultRunner.of(parent.session());
            return switch (what.size()) {
                case 1 -> faults.slowMachine(what.get(0), cpuPercent).number();
                case 3 ->
                    faults.slowLink(what.get(0), what.get(1), roundTrip(what.get(2), SLOWEST_SECONDS))
                            .number();
                default ->
                    throw new Failure(
                            ExitCode.USAGE,
                            "slow needs a link, which is two datacenters and a time, or the name of a machine",
                            PROGRAM + " playground slow dc1 dc2 300ms");
            };
        }
    }

    /** @throws Failure not a time, 0, or too long */
    static Duration roundTrip(String text, int mostSeconds) {
        Duration time;
        try {
            time = new Durations().convert(text);
        } catch (TypeConversionException e) {
            throw new Failure(ExitCode.USAGE, ThrowableText.of(e), null);
        }
        if (time.isZero() || time.compareTo(Duration.ofSeconds(mostSeconds)) > 0) {
            throw new Failure(
                    ExitCode.USAGE,
                    "a round trip of " + text + " must be more than 0 and at most " + mostSeconds + "s",
                    null);
        }
        return time;
    }

    @Command(
            name = "heal",
            description = {
                "Restore cut and slowed links and machines: one link, one machine, or everything. playground revive "
                        + "restores a killed machine."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster playground heal",
                "  ringmaster playground heal dc1 dc2",
                "  ringmaster playground heal dc1/machine-2"
            })
    static final class Heal implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(
                arity = "0..2",
                paramLabel = "DC DC | MACHINE",
                description = "Two datacenters, or a machine (default: everything).")
        private List<String> what = List.of();

        @Override
        public Integer call() throws InterruptedException {
            FaultRunner faults = FaultRunner.of(parent.session());
            return switch (what.size()) {
                case 0 -> faults.healAll().number();
                case 1 -> faults.healMachine(what.get(0)).number();
                default -> faults.healLink(what.get(0), what.get(1)).number();
            };
        }
    }

    @Command(
            name = "kill",
            description = {
                "Kill a machine like a power failure: its processes end at once, its volumes are out of reach, and its "
                        + "server reports it as lost until playground revive."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster playground kill machine-2              the one of the first datacenter",
                "  ringmaster playground kill dc2/machine-1"
            })
    static final class Kill implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(paramLabel = "MACHINE", description = "Such as dc1/machine-2.")
        private String machine;

        @Override
        public Integer call() throws InterruptedException {
            return FaultRunner.of(parent.session()).kill(machine).number();
        }
    }

    @Command(
            name = "revive",
            description = "Restore a killed machine with its volumes.",
            footer = {"", "Example:", "  ringmaster playground revive dc1/machine-2"})
    static final class Revive implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(paramLabel = "MACHINE", description = "Such as dc1/machine-2.")
        private String machine;

        @Override
        public Integer call() throws InterruptedException {
            return FaultRunner.of(parent.session()).revive(machine).number();
        }
    }
}
