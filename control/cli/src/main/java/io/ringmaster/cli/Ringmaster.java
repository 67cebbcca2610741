package io.ringmaster.cli;

import io.ringmaster.cli.command.AuditCommand;
import io.ringmaster.cli.command.ClusterCommand;
import io.ringmaster.cli.command.CompletionCommand;
import io.ringmaster.cli.command.CqlCommand;
import io.ringmaster.cli.command.DoctorCommand;
import io.ringmaster.cli.command.EventsCommand;
import io.ringmaster.cli.command.MachineCommand;
import io.ringmaster.cli.command.NodeCommand;
import io.ringmaster.cli.command.OperationCommand;
import io.ringmaster.cli.command.PlanCommand;
import io.ringmaster.cli.command.PlaygroundCommand;
import io.ringmaster.cli.command.RepairCommand;
import io.ringmaster.cli.command.ServerCommand;
import io.ringmaster.cli.command.VersionCommand;
import io.ringmaster.cli.playground.PlaygroundState;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.ServerCandidates;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.cli.terminal.Abilities;
import io.ringmaster.cli.terminal.Console;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root of the command line: what every command has in common. */
@Command(
        name = "ringmaster",
        description = "Runs real Apache Cassandra clusters across datacenters.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PlaygroundCommand.class,
            ClusterCommand.class,
            PlanCommand.class,
            MachineCommand.class,
            NodeCommand.class,
            RepairCommand.class,
            OperationCommand.class,
            AuditCommand.class,
            EventsCommand.class,
            CqlCommand.class,
            ServerCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            CompletionCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  ringmaster playground                 a real two-datacenter Cassandra on this computer",
            "  ringmaster cluster status rides       one screen about a cluster",
            "  ringmaster cql rides -e \"SELECT ...\"  try a query",
            "",
            "Exit codes: 0 done, 1 failed, 2 usage, 3 refused, 4 no server answers, 5 the wait timed out,",
            "            130 ended by Ctrl-C",
            "Environment: RINGMASTER_SERVER, RINGMASTER_HOME (default ~/.ringmaster), METRONOME (the program that",
            "             --probe starts), NO_COLOR, JAVA_HOME"
        })
public final class Ringmaster implements SessionSource {
    private final Environment surroundings;

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "FORM",
            defaultValue = "table",
            description = "How to print answers: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    Format output = Format.TABLE;

    @Option(
            names = "--server",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The server to ask; default: RINGMASTER_SERVER, a running playground, 127.0.0.1:8080.")
    @Nullable
    String server;

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "The API token, needed for changes; default: ~/.ringmaster/token.")
    @Nullable
    Path tokenFile;

    @Option(
            names = "--no-color",
            scope = ScopeType.INHERIT,
            description = "No colour; also set by the variable NO_COLOR.")
    boolean noColour;

    public Ringmaster(Environment surroundings) {
        this.surroundings = surroundings;
    }

    /** What the command in hand works with; made anew at each call because options are known only after parsing. */
    @Override
    public Session session() {
        return session(server, tokenFile);
    }

    @Override
    public Session session(@Nullable String url, @Nullable Path token) {
        var playground = PlaygroundState.urls(surroundings.home());
        return new Session(
                surroundings, console(), output, ServerCandidates.find(url, token, surroundings, playground));
    }

    Console console() {
        return new Console(surroundings.out(), surroundings.err(), Abilities.detect(noColour));
    }
}
