package io.ringmaster.playground.command;

import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.playground.PlaygroundOptions;
import io.ringmaster.playground.Playgrounds;
import io.ringmaster.playground.WanOptions;
import io.ringmaster.playground.doctor.Demand;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster playground}: a real multi-datacenter Cassandra on this computer. */
@Command(
        name = "playground",
        description = "Start a real Cassandra cluster across datacenters on this computer; Ctrl-C stops it.",
        synopsisSubcommandLabel = "[up|down|status|cut|slow|heal|kill|revive]",
        subcommands = {
            PlaygroundCommand.Up.class,
            PlaygroundFaults.Cut.class,
            PlaygroundFaults.Slow.class,
            PlaygroundFaults.Heal.class,
            PlaygroundFaults.Kill.class,
            PlaygroundFaults.Revive.class
        },
        footer = {
            "",
            "Examples:",
            "  ringmaster playground                              two datacenters of three nodes",
            "  ringmaster playground --nodes 1 --heap 128MiB      a small one",
            "  ringmaster playground --detach --keep-data         runs in the background and keeps its data",
            "  ringmaster playground --wan 77.8ms                 datacenters far apart",
            "  ringmaster playground --preset production          as in production, on this computer",
            "  ringmaster playground --no-tls                     in clear text, and every CQL client is let in",
            "  ringmaster playground cut dc1 dc2                  cut their link; heal restores it",
            "  ringmaster playground down                         stop it from any terminal"
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

    Session session() {
        return root.session();
    }

    /** Options of {@code playground} and {@code playground up}. */
    public static final class StartOptions {
        /** A server waits 3 s for the answer of a peer, which takes two round trips. */
        private static final int FARTHEST_SECONDS = 1;

        @Mixin
        private SizeOptions size;

        @Mixin
        private AdditionOptions additions;

        @Option(names = "--detach", description = "Return when it is up, and leave it running.")
        private boolean detach;

        @Option(names = "--keep-data", description = "Keep the data when it stops; the next start resumes with them.")
        private boolean keepData;

        @Option(
                names = "--keep-on-failure",
                description = "When the start fails, leave everything in place for inspection.")
        private boolean keepOnFailure;

        @Option(
                names = "--timeout",
                paramLabel = "TIME",
                defaultValue = "10m",
                converter = Durations.class,
                description = "Limit for the start of the cluster (default: ${DEFAULT-VALUE}).")
        private Duration timeout;

        @Option(
                names = "--wan",
                paramLabel = "TIME",
                description =
                        "Round trip between any two datacenters, such as 77.8ms; each gets its own network namespace. "
                                + "Needs root; without root all are on loopback, and the start says so.")
        private @Nullable String wan;

        @Option(
                names = "--wan-bandwidth",
                paramLabel = "RATE",
                converter = Bandwidths.class,
                description = "Bandwidth of each link in each direction, such as 100Mbit (default: no limit).")
        private @Nullable Long wanBitsPerSecond;

        @Option(
                names = "--moving-addresses",
                description = "Give a node another address at each launch, as Kubernetes does; not with --wan.")
        private boolean movingAddresses;

        @Option(
                names = "--tls",
                negatable = true,
                fallbackValue = "true",
                description =
                        "Servers, nodes and CQL clients talk by TLS only, and CQL clients log in (default, but for"
                                + " --wan and data that were kept without it); with --no-tls in clear text, and every"
                                + " CQL client is let in.")
        private @Nullable Boolean tls;

        private int run(SessionSource root) throws InterruptedException {
            Demand asked = size.demand(Demand.DEFAULT); // refuses wrong sizes before anything is read
            var options = new PlaygroundOptions(
                    detach, keepData, keepOnFailure, timeout, additions.read(), movingAddresses, tls, link(asked));
            return new Playgrounds(root.session()).up(size::demand, options).number();
        }

        private WanOptions.@Nullable Link link(Demand asked) {
            if (wan == null && wanBitsPerSecond != null) {
                throw new Failure(ExitCode.USAGE, "--wan-bandwidth limits the links that only --wan makes", null);
            }
            if (wan != null && Boolean.TRUE.equals(tls)) {
                throw new Failure(
                        ExitCode.USAGE,
                        "--wan has no TLS: nodes of one network connect from one address, which is in no certificate",
                        "start without --wan or without --tls");
            }
            if (wan != null && asked.datacenters() < 2) {
                throw new Failure(ExitCode.USAGE, "--wan links datacenters, and there is only one", null);
            }
            if (wan != null && movingAddresses) {
                throw new Failure(
                        ExitCode.USAGE,
                        "--moving-addresses takes addresses of loopback, and --wan gives each machine a fixed one",
                        null);
            }
            return wan == null
                    ? null
                    : WanOptions.Link.of(PlaygroundFaults.roundTrip(wan, FARTHEST_SECONDS), wanBitsPerSecond);
        }
    }

    /** The same as {@code playground} without a verb. */
    @Command(
            name = "up",
            description = "Start a playground; the same as playground without a verb.",
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
            description =
                    "Stop the playground. No process, control group, mount or port is left, and no data unless kept.",
            footer = {"", "Example:", "  ringmaster playground down --keep-data"})
    int down(
            @Option(names = "--keep-data", description = "Keep the data, also without --keep-data at the start.")
                    boolean keepData)
            throws InterruptedException {
        return new Playgrounds(root.session()).down(keepData).number();
    }

    @Command(
            name = "status",
            description = "Show the processes, servers and faults of the playground.",
            footer = {"", "Example:", "  ringmaster playground status"})
    int status() {
        return new Playgrounds(root.session()).status().number();
    }
}
