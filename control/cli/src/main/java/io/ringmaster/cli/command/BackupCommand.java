package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.BackupScreen;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationInfo;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
            "  ringmaster backup verify rides --to local --backup 20261124T040000Z-3f9c --wait"
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
        Map<String, List<BackupInfo>> backups = backups(session, cluster, from);
        session.print(
                backups, () -> BackupScreen.list(backups, session.console().width()));
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
        Map<String, List<BackupInfo>> all = backups(session, cluster, from);
        Found found = found(all, id)
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        cluster + " has no backup" + (id == null ? "" : " " + id) + " in "
                                + String.join(", ", all.keySet()),
                        PROGRAM + " backup list " + cluster));
        BackupInfo.Details details = session.client().backup(found.location, found.backup);
        session.print(
                details,
                () -> BackupScreen.show(
                        found.location, details, session.console().width()));
    }

    private record Found(String location, BackupInfo backup) {}

    /** The newest that fits: an id starts with its time. */
    private static Optional<Found> found(Map<String, List<BackupInfo>> backups, @Nullable String id) {
        return backups.entrySet().stream()
                .flatMap(e -> e.getValue().stream().map(b -> new Found(e.getKey(), b)))
                .filter(f -> id == null || f.backup.id().equals(id))
                .max((a, b) -> a.backup.id().compareTo(b.backup.id()));
    }

    /** By location. One that does not answer is reported and left out, unless it was named. */
    private static Map<String, List<BackupInfo>> backups(
            Session session, @Nullable ClusterName cluster, @Nullable String from) {
        RingmasterClient client = session.client();
        if (from != null) {
            return Map.of(from, client.backups(from, cluster));
        }
        Map<String, List<BackupInfo>> backups = new TreeMap<>();
        for (LocationInfo location : client.locations().items()) {
            String name = location.name();
            try {
                backups.put(name, client.backups(name, cluster));
            } catch (RefusedException e) {
                e.problems().forEach(p -> session.console().note(Line.of(name + ": " + p.message())));
            }
        }
        return backups;
    }
}
