package io.ringmaster.cli.command;

import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster restore}: new clusters from backups. */
@Command(
        name = "restore",
        description = "Make a new cluster from a backup.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  ringmaster restore start rides --as rides2 --dry-run    which node takes whose data",
            "  ringmaster restore start rides --as rides2 --wait",
            "  ringmaster backup list rides                            what there is to restore"
        })
public final class RestoreCommand {
    private static final String LATEST = "latest";

    @ParentCommand
    private SessionSource root;

    @Command(
            name = "start",
            description = {
                "Make a new cluster from a backup of a cluster, which may be deleted.",
                "It gets the spec, the datacenters and the tokens of that cluster. CQL opens when all data is there."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster restore start rides --as rides2 --dry-run",
                "  ringmaster restore start rides --as rides2 --backup 20261124T040000Z-3f9c --from main --wait",
                "  ringmaster restore start rides --as rides2 --print-spec > rides2.yaml"
            })
    int start(
            @Parameters(paramLabel = "CLUSTER", description = "The cluster that was backed up.") ClusterName cluster,
            @Option(names = "--as", paramLabel = "NAME", required = true, description = "The new cluster.")
                    ClusterName as,
            @Option(
                            names = "--backup",
                            paramLabel = "ID",
                            defaultValue = LATEST,
                            description = "Its id, or latest (the default).")
                    String id,
            @Option(names = "--from", paramLabel = "LOCATION", description = "Only of this location; default: all.")
                    @Nullable
                    String from,
            @Option(
                            names = "--roles",
                            paramLabel = "keep|none",
                            defaultValue = "keep",
                            description = "keep (the default): those of its spec, with the passwords under the new"
                                    + " name. none: nobody can log in until you apply roles. No role is copied.")
                    RestoredRoles roles,
            @Option(
                            names = "--print-spec",
                            description = "Print the spec, to edit it and cluster apply it, and change nothing.")
                    boolean printSpec,
            @Mixin ApplyOptions options)
            throws InterruptedException {
        Session session = root.session();
        FoundBackup found = FoundBackup.newest(session, cluster, id.equals(LATEST) ? null : id, from);
        BackupInfo.Details details = session.client().backup(found.location(), found.backup());
        String spec = SpecFiles.restoring(details.spec(), as, found, roles);
        if (printSpec) {
            session.console().print(spec.stripTrailing());
            return 0;
        }
        return options.apply(session, as, spec, 0);
    }
}
