package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.MachineScreen;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster machine}: what there is to place nodes on. */
@Command(
        name = "machine",
        description = "What machines there are, what runs on them and what is free.",
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Example:", "  ringmaster machine list"})
public final class MachineCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "What each machine has, what runs on it, what is free.",
            footer = {"", "Example:", "  ringmaster machine list -o yaml"})
    void list() {
        Session session = root.session();
        var machines = session.client().machines();
        session.print(
                machines,
                () -> MachineScreen.list(
                        machines, Instant.now(), session.console().width()));
    }
}
