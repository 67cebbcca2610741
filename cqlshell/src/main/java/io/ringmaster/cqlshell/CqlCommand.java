package io.ringmaster.cqlshell;

import io.ringmaster.cli.session.CqlTrust;
import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.InputFile;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.identity.PemException;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster cql}: a small CQL shell. */
@Command(
        name = "cql",
        description =
                "Run CQL: statements, a file, standard input, or a shell. The default consistency is LOCAL_QUORUM.",
        footer = {
            "",
            "Examples:",
            "  ringmaster cql rides",
            "  ringmaster cql rides -e \"SELECT cluster_name FROM system.local\"",
            "  ringmaster cql rides -f schema.cql",
            "  ringmaster cql rides --user app --password-file app.password",
            "  ringmaster cql rides -o csv -e \"SELECT * FROM trips.place\" > place.csv"
        })
public final class CqlCommand implements Callable<Integer> {
    @ParentCommand
    private SessionSource root;

    @Parameters(paramLabel = "CLUSTER", description = "The cluster to connect to.")
    private ClusterName cluster;

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "CQL",
            description = "Statements to run, separated by semicolons.")
    private @Nullable String statements;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "A file of statements; - reads standard input.")
    private @Nullable Path file;

    @Option(
            names = "--datacenter",
            paramLabel = "DC",
            description = "The local datacenter; default: the first one with a NORMAL node.")
    private @Nullable String datacenter;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Durations.class,
            description = "Limit for each request (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = "--user",
            paramLabel = "ROLE",
            description = "Log in as this role; default: a superuser that the server makes for 12 hours.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "The file of the password of --user.")
    private @Nullable Path passwordFile;

    @Override
    public Integer call() {
        Session session = root.session();
        var status = session.client().status(cluster, Scope.FLEET);
        var run = new CqlRun(session, status, datacenter, tls(session.client()), login(session), timeout);
        if (statements != null) {
            run.script(statements);
        } else if (file != null) {
            run.script(InputFile.read(file, session.environment()));
        } else if (!session.environment().person()) {
            run.script(InputFile.read(Path.of("-"), session.environment()));
        } else {
            run.interactive();
        }
        return ExitCode.OK.number();
    }

    private @Nullable CqlCredentials login(Session session) {
        return CqlCredentials.of(session.client(), cluster, user, passwordFile);
    }

    private @Nullable NodeTls tls(RingmasterClient client) {
        Optional<String> authorities = CqlTrust.of(client, cluster);
        try {
            return authorities.isEmpty() ? null : new NodeTls(authorities.get());
        } catch (PemException e) {
            throw new Failure(ExitCode.FAILED, ThrowableText.of(e), null);
        }
    }
}
