package io.ringmaster.cli.command;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.SessionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster server}: the server of one datacenter. */
@Command(
        name = "server",
        description = "Run a datacenter's server.",
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Example:", "  ringmaster server start --config /etc/ringmaster/dc1.yaml"})
public final class ServerCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "start",
            description = "Run a server in the foreground until a signal ends it; nodes keep running.",
            footer = {"", "Example:", "  ringmaster server start --config dc1.yaml"})
    int start(
            @Option(
                            names = "--config",
                            required = true,
                            paramLabel = "FILE",
                            description = "The server's configuration.")
                    Path config)
            throws IOException, InterruptedException {
        if (!Files.isReadable(config)) {
            throw new Failure(
                    ExitCode.USAGE, "cannot read " + config, "see docs/server.md for the fields of this file");
        }
        var programs = new Programs(root.session().environment().root());
        Process server = programs.server(
                        "io.ringmaster.server.ServerMain",
                        "--config",
                        config.toAbsolutePath().toString())
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroy));
        return server.waitFor();
    }
}
