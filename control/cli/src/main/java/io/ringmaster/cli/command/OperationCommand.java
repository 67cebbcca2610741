package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.OperationScreen;
import io.ringmaster.cli.screen.TextTable;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.OperationInfo;
import io.ringmaster.wire.api.OperationState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster operation}: the catalogue of operations, and requests with their locks. */
@Command(
        name = "operation",
        description = "List operations and requests.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Operations are verbs of the commands cluster and node:",
            "  ringmaster cluster restart rides --rack r1 --dry-run",
            "  ringmaster node restart rides/dc1/node-0 --wait"
        })
public final class OperationCommand {
    @ParentCommand
    private SessionSource root;

    @Command(name = "list", description = "List the catalogue of operations with their parameters.")
    void list() {
        Session session = root.session();
        List<OperationInfo> operations = session.client().operations();
        session.print(operations, () -> screen(operations, session.console().width()));
    }

    @Command(
            name = "status",
            description = "Show the requests of a cluster, the lock holder, and what the others wait for.",
            footer = {"", "Example:", "  ringmaster operation status rides"})
    void status(@Parameters(paramLabel = "CLUSTER") ClusterName cluster) {
        Session session = root.session();
        List<OperationState> states = session.client().operations(cluster);
        session.print(
                states,
                () -> OperationScreen.states(
                        states, Instant.now(), session.console().width()));
    }

    private static List<Line> screen(List<OperationInfo> operations, int width) {
        TextTable table =
                new TextTable().column("OPERATION").text("WHAT IT DOES").text("PARAMETERS");
        for (OperationInfo o : operations) {
            String params = o.params().stream()
                    .map(p -> p.required() ? p.name() : "[" + p.name() + "]")
                    .collect(Collectors.joining(" "));
            table.row(o.name(), o.summary(), params);
        }
        return table.lines(width);
    }
}
