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

/** {@code ringmaster repair}: make replicas the same again. */
@Command(
        name = "repair",
        description = "Repair a cluster, and see when its ranges were repaired last.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  ringmaster repair start rides --dry-run         the plan; start --help lists what can be chosen",
            "  ringmaster repair start rides --keyspace trips --intensity 0.5 --wait",
            "  ringmaster repair list rides",
            "  ringmaster plan pause rides                     ends it in the nodes; resume goes on where it was"
        })
public final class RepairCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "Repairs that run, and when each node repaired its ranges of each keyspace last.",
            footer = {"", "Example:", "  ringmaster repair list rides"})
    void list(@Parameters(paramLabel = "CLUSTER") ClusterName cluster) {
        Session session = root.session();
        ClusterStatus status = session.client().status(cluster, Scope.FLEET);
        session.print(
                status.datacenters(),
                () -> RepairScreen.list(status, Instant.now(), session.console().width()));
    }
}
