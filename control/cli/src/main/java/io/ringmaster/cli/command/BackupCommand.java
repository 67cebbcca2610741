package io.ringmaster.cli.command;

import io.ringmaster.cli.operation.ConfirmedOperation;
import io.ringmaster.cli.screen.BackupScreen;
import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.OperationAsk;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster backup}: backups of clusters, and the locations where they are kept. */
@Command(
        name = "backup",
        description = "Back up a cluster, and show its backups.",
        synopsisSubcommandLabel = "VERB",
        subcommands = LocationCommand.class,
        footer = {
            "",
            "Examples:",
            "  ringmaster backup location list                       where backups can go",
            "  ringmaster backup create rides --to local --wait      create --help lists the options",
            "  ringmaster backup list rides",
            "  ringmaster backup verify rides --from local --backup 20261124T040000Z-3f9c --wait",
            "  ringmaster backup delete rides 20261124T040000Z-3f9c --from local --dry-run"
        })
public final class BackupCommand {
    @ParentCommand
    private SessionSource root;

    Session session() {
        return root.session();
    }

    @Command(
            name = "list",
            description = "List the backups of a cluster, or of all clusters; the cluster may be deleted.",
            footer = {"", "Examples:", "  ringmaster backup list rides", "  ringmaster backup list --from main -o json"
            })
    void list(
            @Parameters(paramLabel = "CLUSTER", arity = "0..1", description = "Default: all clusters.") @Nullable
                    ClusterName cluster,
            @Option(names = "--from", paramLabel = "LOCATION", description = "Only of this location; default: all.")
                    @Nullable
                    String from) {
        Session session = root.session();
        Map<String, List<BackupInfo>> backups = FoundBackup.byLocation(session, cluster, from);
        session.print(
                backups,
                () -> BackupScreen.list(
                        backups, Instant.now(), session.console().width()));
    }

    @Command(
            name = "show",
            description = "Show a backup and how much each node sent.",
            footer = {
                "",
                "Examples:",
                "  ringmaster backup show rides                          the newest",
                "  ringmaster backup show rides 20261124T040000Z-3f9c"
            })
    void show(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster,
            @Parameters(paramLabel = "BACKUP", arity = "0..1", description = "Its id; default: the newest.") @Nullable
                    String id,
            @Option(names = "--from", paramLabel = "LOCATION", description = "Only of this location; default: all.")
                    @Nullable
                    String from) {
        Session session = root.session();
        FoundBackup found = FoundBackup.newest(session, cluster, id, from);
        BackupInfo.Details details = session.client().backup(found.location(), found.backup());
        session.print(
                details,
                () -> BackupScreen.show(
                        found.location(), details, session.console().width()));
    }

    @Command(
            name = "delete",
            description = {
                "Delete backups, and what no other backup needs.",
                "The newest complete backup is never deleted, and none while a cluster is being restored."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster backup delete rides 20261124T040000Z-3f9c --from main --dry-run",
                "  ringmaster backup delete rides 20261124T040000Z-3f9c 20261123T040000Z-77aa --from main --wait"
            })
    void delete(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster,
            @Parameters(paramLabel = "BACKUP", arity = "1..*", description = "Their ids.") List<String> ids,
            @Option(names = "--from", paramLabel = "LOCATION", required = true, description = "Where they are.")
                    String from,
            @Mixin DeleteOptions options)
            throws InterruptedException {
        var ask = new OperationAsk(Map.of("from", from, "backups", String.join(",", ids)), options.why);
        new ConfirmedOperation(root.session(), cluster, OperationNames.BACKUP_DELETE, ask)
                .run(options, options.allowSilentPeers, Optional.empty());
    }

    private static final class DeleteOptions extends ConfirmAndWait {
        @Option(names = "--allow-silent-peers", description = "Continue although a datacenter does not answer.")
        private boolean allowSilentPeers;

        @Option(names = "--why", paramLabel = "TEXT", defaultValue = "", description = "The reason, for the audit.")
        private String why;

        DeleteOptions() {
            super("4h");
        }
    }
}
