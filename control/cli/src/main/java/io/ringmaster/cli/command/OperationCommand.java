package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Table;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.wire.api.OperationInfo;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster operation}: the catalogue of what can be asked for. */
@Command(
        name = "operation",
        description = "What can be asked of a cluster.",
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Example:", "  ringmaster operation list"})
public final class OperationCommand {
    @ParentCommand
    private SessionSource root;

    @Command(name = "list", description = "The catalogue of operations, with their parameters.")
    void list() {
        Session session = root.session();
        List<OperationInfo> operations = session.client().operations();
        session.print(operations, () -> screen(operations, session.console().width()));
    }

    private static List<Line> screen(List<OperationInfo> operations, int width) {
        Table table = new Table().column("OPERATION").text("WHAT IT DOES").text("PARAMETERS");
        for (OperationInfo o : operations) {
            String params = o.params().stream()
                    .map(p -> p.required() ? p.name() : "[" + p.name() + "]")
                    .collect(Collectors.joining(" "));
            table.row(o.name(), o.summary(), params);
        }
        return table.lines(width);
    }
}
