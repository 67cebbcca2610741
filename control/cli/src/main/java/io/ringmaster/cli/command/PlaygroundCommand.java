package io.ringmaster.cli.command;

import io.ringmaster.cli.doctor.Demand;
import io.ringmaster.cli.playground.Options;
import io.ringmaster.cli.playground.Playgrounds;
import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.SessionSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster playground}: a real multi-datacenter Cassandra on this computer. */
@Command(
        name = "playground",
        description = "Start a real Cassandra cluster across datacenters on this computer; Ctrl-C stops it.",
        synopsisSubcommandLabel = "[up|down|status]",
        subcommands = PlaygroundCommand.Up.class,
        footer = {
            "",
            "Examples:",
            "  ringmaster playground                              two datacenters of three nodes",
            "  ringmaster playground --nodes 1 --heap 128MiB      a small one",
            "  ringmaster playground --detach --keep-data         goes on; the data outlive it",
            "  ringmaster playground down                         stops it from anywhere"
        })
public final class PlaygroundCommand implements Callable<Integer> {
    @ParentCommand
    private SessionSource root;

    @Mixin
    private StartOptions start;

    @Override
    public Integer call() throws InterruptedException {
        return start.run(root);
    }

    /** What {@code playground} and {@code playground up} have in common. */
    public static final class StartOptions {
        @Mixin
        private SizeOptions size;

        @Option(names = "--detach", description = "End when it is up, and leave it running.")
        private boolean detach;

        @Option(
                names = "--keep-data",
                description = "Keep the data when it is stopped; the next start resumes with them.")
        private boolean keepData;

        @Option(
                names = "--keep-on-failure",
                description = "When the start fails, leave everything as it is, to look at.")
        private boolean keepOnFailure;

        @Option(
                names = "--timeout",
                paramLabel = "TIME",
                defaultValue = "10m",
                converter = Durations.class,
                description = "How long the cluster may take to be up (default: ${DEFAULT-VALUE}).")
        private Duration timeout;

        private int run(SessionSource root) throws InterruptedException {
            size.demand(Demand.DEFAULT); // a wrong size is refused before anything is looked at
            var options = new Options(detach, keepData, keepOnFailure, timeout);
            return new Playgrounds(root.session()).up(size::demand, options).number();
        }
    }

    /** The same as {@code playground} alone. */
    @Command(
            name = "up",
            description = "Start it; the same as playground alone.",
            footer = {"", "Example:", "  ringmaster playground up --detach"})
    public static final class Up implements Callable<Integer> {
        @ParentCommand
        private PlaygroundCommand parent;

        @Mixin
        private StartOptions start;

        @Override
        public Integer call() throws InterruptedException {
            return start.run(parent.root);
        }
    }

    @Command(
            name = "down",
            description = "Stop it: no process, control group, mount or port is left, and no data unless kept.",
            footer = {"", "Example:", "  ringmaster playground down --keep-data"})
    int down(@Option(names = "--keep-data", description = "Keep the data, however it was started.") boolean keepData)
            throws InterruptedException {
        return new Playgrounds(root.session()).down(keepData).number();
    }

    @Command(
            name = "status",
            description = "Whether one runs, and where.",
            footer = {"", "Example:", "  ringmaster playground status"})
    int status() {
        return new Playgrounds(root.session()).status().number();
    }
}
