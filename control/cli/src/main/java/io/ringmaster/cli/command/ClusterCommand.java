package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.screen.ClusterScreen;
import io.ringmaster.cli.screen.SpecScreen;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.InputFile;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.RolePassword;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster cluster}: declares clusters and shows them. */
@Command(
        name = "cluster",
        description = "Declare, change and show clusters.",
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Examples:", "  ringmaster cluster list", "  ringmaster cluster apply -f rides.yaml --wait"})
public final class ClusterCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List all clusters of the fleet.",
            footer = {"", "Example:", "  ringmaster cluster list -o json"})
    void list() {
        Session session = root.session();
        var clusters = session.client().clusters();
        session.print(
                clusters,
                () -> ClusterScreen.list(
                        clusters, Instant.now(), session.console().width()));
    }

    @Command(
            name = "status",
            description = "Show one cluster: nodes, state, load, schema, plans, findings and next steps.",
            footer = {"", "Example:", "  ringmaster cluster status rides"})
    void status(@Parameters(paramLabel = "CLUSTER") ClusterName cluster) {
        Session session = root.session();
        var status = session.client().status(cluster, Scope.FLEET);
        session.print(
                status, () -> ClusterScreen.status(status, session.console().width()));
    }

    @Command(
            name = "spec",
            description = "Print the spec as the user wrote it, or list its versions.",
            footer = {
                "",
                "Examples:",
                "  ringmaster cluster spec rides > rides.yaml",
                "  ringmaster cluster spec rides --versions"
            })
    void spec(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster,
            @Option(names = "--versions", description = "List the stored versions.") boolean versions,
            @Option(names = "--version-number", paramLabel = "N", description = "Print this version.") @Nullable
                    Long number) {
        Session session = root.session();
        if (versions) {
            List<SpecRecord> all = session.client().specs(cluster);
            session.print(all, () -> SpecScreen.versions(all, session.console().width()));
            return;
        }
        SpecRecord spec =
                number == null ? session.client().spec(cluster) : SpecFiles.version(session.client(), cluster, number);
        if (session.format() == Format.TABLE) {
            session.console().print(spec.source().stripTrailing());
        } else {
            session.print(spec, List::of);
        }
    }

    @Command(
            name = "password",
            description = "Print the generated password of a role of the spec. It needs the token of an admin.",
            footer = {"", "Example:", "  ringmaster cluster password rides app"})
    void password(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster, @Parameters(paramLabel = "ROLE") String role) {
        Session session = root.session();
        RolePassword password = session.client().rolePassword(cluster, roleName(role));
        if (session.format() == Format.TABLE) {
            session.console().print(password.password());
        } else {
            session.print(password, List::of);
        }
    }

    private static RoleName roleName(String text) {
        try {
            return new RoleName(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(ExitCode.USAGE, ThrowableText.of(e), null);
        }
    }

    @Command(
            name = "apply",
            description = "Declare a cluster: shows the plan, asks, then applies it.",
            footer = {
                "",
                "Examples:",
                "  ringmaster cluster apply -f rides.yaml --dry-run   only show the plan",
                "  ringmaster cluster apply -f rides.yaml --yes --wait"
            })
    int apply(
            @Option(
                            names = {"-f", "--file"},
                            required = true,
                            paramLabel = "FILE",
                            description = "The spec in YAML; - reads standard input.")
                    Path file,
            @Mixin ApplyOptions options)
            throws InterruptedException {
        Session session = root.session();
        String yaml = InputFile.read(file, session.environment());
        ClusterName cluster = SpecFiles.name(yaml, file);
        return options.apply(session, cluster, yaml, SpecFiles.currentVersion(session.client(), cluster));
    }

    @Command(
            name = "scale",
            description = "Add or remove nodes: applies the spec with another number of nodes.",
            footer = {
                "",
                "Examples:",
                "  ringmaster cluster scale rides --dc dc1 --nodes 5 --dry-run   shows the effective ownership"
                        + " before and after",
                "  ringmaster cluster scale rides --dc dc1 --nodes 3 --yes --wait"
            })
    int scale(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster,
            @Option(names = "--dc", required = true, paramLabel = "DC", description = "The datacenter.")
                    DatacenterName datacenter,
            @Option(
                            names = "--nodes",
                            required = true,
                            paramLabel = "N",
                            description = "Number of nodes in that datacenter.")
                    int nodes,
            @Mixin ApplyOptions options)
            throws InterruptedException {
        Session session = root.session();
        SpecRecord spec = session.client().spec(cluster);
        return options.apply(session, cluster, SpecFiles.withNodes(spec, datacenter, nodes), spec.version());
    }

    @Command(
            name = "delete",
            description = "Delete a cluster. Its volumes are kept unless --destroy-data is given.",
            footer = {
                "",
                "Examples:",
                "  ringmaster cluster delete rides --dry-run",
                "  ringmaster cluster delete rides --destroy-data --yes --wait"
            })
    int delete(
            @Parameters(paramLabel = "CLUSTER") ClusterName cluster,
            @Option(names = "--destroy-data", description = "Destroy the volumes too. This cannot be undone.")
                    boolean destroyData,
            @Option(names = "--allow-silent-peers", description = "Continue although a datacenter does not answer.")
                    boolean allowSilentPeers,
            @Mixin DeleteOptions options)
            throws InterruptedException {
        Session session = root.session();
        RingmasterClient client = session.client();
        ChangeAnswer draft =
                client.delete(cluster, destroyData, null, new ChangeOptions(true, false, allowSilentPeers, false));
        if (options.dryRun() || session.format() == Format.TABLE) {
            ApplyOptions.show(session, draft);
        }
        if (options.dryRun()) {
            return 0;
        }
        session.confirm(
                destroyData
                        ? "Delete " + cluster + " and destroy its data?"
                        : "Delete " + cluster + "? Its volumes are kept.",
                options.yes());
        Set<PlanId> earlier = client.plans(cluster).items().stream()
                .filter(p -> p.status().isOver())
                .map(Plan::id)
                .collect(Collectors.toSet());
        ChangeAnswer answer =
                client.delete(cluster, destroyData, null, new ChangeOptions(false, false, allowSilentPeers, false));
        if (options.waits()) {
            try (Display display = new Display(session.console())) {
                new Follower(client, cluster, options.timeout()).untilGone(earlier, allowSilentPeers, display);
            }
        }
        ApplyOptions.after(session, answer, PROGRAM + " plan list", options.waits());
        return 0;
    }

    static final class DeleteOptions extends ConfirmAndWait {
        DeleteOptions() {
            super("10m");
        }
    }
}
