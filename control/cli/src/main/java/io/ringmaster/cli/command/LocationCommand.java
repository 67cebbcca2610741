package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.operation.OperationRunner;
import io.ringmaster.cli.screen.BackupScreen;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.api.LocationInfo;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster backup location}: the folders and S3 buckets that a server knows for backups. */
@Command(
        name = "location",
        description = "List, add and check the places where backups are kept.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  ringmaster backup location list",
            "  ringmaster backup location add nas --url file:///mnt/backups",
            "  ringmaster backup location check nas --cluster rides"
        })
public final class LocationCommand {
    private static final Duration NODES_ANSWER = Duration.ofMinutes(10);

    @ParentCommand
    private BackupCommand backup;

    @Command(
            name = "list",
            description = "List the locations that the server knows.",
            footer = {"", "Example:", "  ringmaster backup location list"})
    void list() {
        Session session = backup.session();
        LocationInfo.Directory known = session.client().locations();
        session.print(
                known, () -> BackupScreen.locations(known, session.console().width()));
    }

    @Command(
            name = "add",
            description = {
                "Add a location to those of the server. Each datacenter's server has its own locations.",
                "Secrets do not travel: --credentials-file copies a file into the server's directory on this computer."
            },
            footer = {
                "",
                "Examples:",
                "  ringmaster backup location add nas --url file:///mnt/backups",
                "  ringmaster backup location add main --url s3://backups/ringmaster --region eu-central-1 \\",
                "      --credentials-file s3.key",
                "",
                "A file with credentials has two lines, access_key_id: ID and secret_access_key: SECRET."
            })
    void add(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--url",
                            paramLabel = "URL",
                            required = true,
                            description = "file:///DIRECTORY, which all nodes share, or s3://BUCKET/PREFIX.")
                    String url,
            @Option(names = "--endpoint", paramLabel = "URL", description = "URL of an S3 store that is not AWS.")
                    @Nullable
                    String endpoint,
            @Option(names = "--region", paramLabel = "REGION", description = "Region of AWS.") @Nullable String region,
            @Option(
                            names = "--credentials",
                            paramLabel = "REF",
                            description =
                                    "file:NAME, a file in the server's directory of locations; env:PREFIX; machine.")
                    @Nullable
                    String credentials,
            @Option(
                            names = "--credentials-file",
                            paramLabel = "FILE",
                            description = "A file with the credentials, which the server's directory gets as NAME.key.")
                    @Nullable
                    Path file) {
        Session session = backup.session();
        RingmasterClient client = session.client();
        if (file == null) {
            added(session, client.addLocation(name, new LocationAsk(url, endpoint, region, credentials)));
            return;
        }
        if (credentials != null) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--credentials and --credentials-file exclude each other",
                    PROGRAM + " backup location add --help");
        }
        URI server = client.server();
        CredentialsCopy copy = new CredentialsCopy(
                file, Path.of(client.locations().directory()).resolve(name + ".key"), isThisComputer(server));
        copy.write(PROGRAM + " backup location add " + name + " --credentials file:" + name + ".key --url " + url
                + (endpoint == null ? "" : " --endpoint " + endpoint) + (region == null ? "" : " --region " + region));
        try {
            added(session, client.addLocation(name, new LocationAsk(url, endpoint, region, "file:" + name + ".key")));
        } catch (RefusedException e) {
            copy.remove();
            throw e;
        }
    }

    private static boolean isThisComputer(URI server) {
        return List.of("127.0.0.1", "localhost", "[::1]").contains(String.valueOf(server.getHost()));
    }

    private static void added(Session session, LocationInfo location) {
        session.print(
                location,
                () -> List.of(Line.of(location.name() + " is " + location.url() + "; next: " + PROGRAM
                        + " backup location check " + location.name())));
    }

    @Command(
            name = "check",
            description = "Check that the server reads a location and, with --cluster, that its nodes may write there.",
            footer = {
                "",
                "Examples:",
                "  ringmaster backup location check main",
                "  ringmaster backup location check main --cluster rides"
            })
    void check(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--cluster", paramLabel = "CLUSTER", description = "Check from the nodes of this cluster.")
                    @Nullable
                    ClusterName cluster)
            throws InterruptedException {
        Session session = backup.session();
        RingmasterClient client = session.client();
        LocationInfo.Checked checked = client.checkLocation(name);
        if (cluster == null || session.format() == Format.TABLE) {
            session.print(checked, () -> List.of(Line.of(checked.name() + ": " + checked.message())));
        }
        if (cluster != null) {
            OperationAsk ask = new OperationAsk(Map.of("to", name), "");
            new OperationRunner(session, client, cluster, NODES_ANSWER)
                    .run(OperationNames.BACKUP_CHECK, ask, ChangeOptions.APPLY, true);
        }
    }
}
