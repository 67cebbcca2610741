package io.ringmaster.playground.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.playground.FaultRunner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.TypeConversionException;

/** The commands that break a running playground and mend it: {@code playground cut}, {@code slow}, {@code heal}, {@code kill}, {@code revive}. */
final class PlaygroundFaults {
    private static final int PERCENT_MAX = 100;
    /** Further apart servers have given each other up. */
    private static final int SLOWEST_SECONDS = 5;

    private PlaygroundFaults() {}

    @Command(
            name = "cut",
            description = {
                "Cut two datacenters off from each other: every packet between them is dropped, in both directions, also those "
                        + "under way. Needs a playground that was started with --wan."
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
                "Slow down the link between two datacenters to another round trip (needs --wan), or a machine: its nodes may "
                        + "use only a part of one CPU then, as when somebody else's work takes the rest."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster playground slow dc1 dc2 300ms",
                "  ringmaster playground slow machine-2              that of the first datacenter",
                "  ringmaster playground slow dc2/machine-1 --cpu 5"
            })
    static final class Slow implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Parameters(
                arity = "1..3",
                paramLabel = "DC DC TIME | MACHINE",
                description = "Two datacenters and the round trip between them; or a machine, such as dc1/machine-2.")
        private List<String> what;

        @Option(
                names = "--cpu",
                paramLabel = "PERCENT",
                defaultValue = "10",
                description = "How much of one CPU a machine's nodes may use (default: ${DEFAULT-VALUE}).")
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
                            "slow what? a link is two datacenters and a time, a machine is one name",
                            PROGRAM + " playground slow dc1 dc2 300ms");
            };
        }
    }

    /** @throws Failure it is no time, 0, or too long */
    static Duration roundTrip(String text, int mostSeconds) {
        Duration time;
        try {
            time = new Durations().convert(text);
        } catch (TypeConversionException e) {
            throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()), null);
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
                "Mend what was cut or slowed down: one link, one machine, or everything. A killed machine is revived by "
                        + "playground revive."
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
                description = "Two datacenters, or a machine; everything when nothing is named.")
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
                "Kill a machine as if its power had failed: all its processes end at once, its volumes are out of reach, its "
                        + "server sees that it is lost and starts nothing there. Until playground revive."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster playground kill machine-2              that of the first datacenter",
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
            description = "Bring a killed machine back, with its volumes as they were.",
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
