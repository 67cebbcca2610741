package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.RepairScreen;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.Scope;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster repair}: anti-entropy repair. */
@Command(
        name = "repair",
        description = "Repair a cluster, and show the last repair of its ranges.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  ringmaster repair start rides --dry-run         the plan; start --help lists the options",
            "  ringmaster repair start rides --keyspace trips --intensity 0.5 --wait",
            "  ringmaster repair list rides",
            "  ringmaster plan pause rides                     stops it in the nodes; resume continues there"
        })
public final class RepairCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List running repairs, and the last repair of each node's ranges by keyspace.",
            footer = {"", "Example:", "  ringmaster repair list rides"})
    void list(@Parameters(paramLabel = "CLUSTER") ClusterName cluster) {
        Session session = root.session();
        ClusterStatus status = session.client().status(cluster, Scope.FLEET);
        session.print(
                status.datacenters(),
                () -> RepairScreen.list(status, Instant.now(), session.console().width()));
    }
}
