package io.ringmaster.cli;

import io.ringmaster.cli.command.VersionCommand;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.LocalServers;
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

/** The root command: options that every command inherits. */
@Command(
        name = Ringmaster.NAME,
        description = "Runs real Apache Cassandra clusters across datacenters.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done, 1 failed, 2 usage, 3 refused, 4 no server answers, 5 the wait timed out,",
            "            130 ended by Ctrl-C",
            "Environment: RINGMASTER_SERVER, RINGMASTER_HOME (default ~/.ringmaster), METRONOME (the program that",
            "             --probe starts), NO_COLOR, JAVA_HOME"
        })
public final class Ringmaster implements SessionSource {
    static final String NAME = "ringmaster";

    private final Environment environment;
    private final LocalServers localServers;

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "FORM",
            defaultValue = "table",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    Format output = Format.TABLE;

    @Option(
            names = "--server",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "Base URL of the server; default: RINGMASTER_SERVER, a running playground, 127.0.0.1:8080.")
    @Nullable
    String server;

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "File with the API token; default: ~/.ringmaster/token.")
    @Nullable
    Path tokenFile;

    @Option(
            names = "--no-color",
            scope = ScopeType.INHERIT,
            description = "Print without colours, as with the variable NO_COLOR.")
    boolean noColour;

    public Ringmaster(Environment environment, LocalServers localServers) {
        this.environment = environment;
        this.localServers = localServers;
    }

    /** Builds a session at each call, because options are known only after parsing. */
    @Override
    public Session session() {
        return session(server, tokenFile);
    }

    @Override
    public Session session(@Nullable String url, @Nullable Path token) {
        return new Session(
                environment, console(), output, ServerCandidates.find(url, token, environment, localServers));
    }

    @Override
    public @Nullable Path tokenFile() {
        return tokenFile;
    }

    LocalServers localServers() {
        return localServers;
    }

    Console console() {
        return new Console(environment.out(), environment.err(), Abilities.detect(noColour));
    }
}
