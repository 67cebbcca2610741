package io.ringmaster.cqlshell;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.api.ClusterStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of the CQL shell, interactive or with a script. */
public final class CqlRun {
    private final Session session;
    private final ClusterStatus status;
    private final @Nullable String datacenter;
    private final @Nullable NodeTls tls;
    private final @Nullable CqlCredentials login;
    private final Duration timeout;

    /**
     * @param datacenter local datacenter, or null for the first one with a NORMAL node
     * @param tls null for a cluster in clear text
     * @param login null for a cluster that lets every client in
     */
    CqlRun(
            Session session,
            ClusterStatus status,
            @Nullable String datacenter,
            @Nullable NodeTls tls,
            @Nullable CqlCredentials login,
            Duration timeout) {
        this.session = session;
        this.status = status;
        this.datacenter = datacenter;
        this.tls = tls;
        this.login = login;
        this.timeout = timeout;
    }

    /** Runs all statements of the text, up to the first failure. */
    public void script(String text) {
        guarded(false, cql -> new Shell(cql, session.console(), session.format(), null)
                .runAll(Statements.cut(text).all()));
    }

    /** Reads from the terminal. */
    public void interactive() {
        Path history = session.environment().home().resolve("cql_history");
        guarded(
                true,
                cql -> new Interaction(cql, session.console(), status.cluster().value()).run(history));
    }

    private void guarded(boolean schema, java.util.function.Consumer<CqlSession> work) {
        try (CqlSession cql = Connection.open(status, datacenter, tls, login, schema, timeout)) {
            try {
                work.accept(cql);
            } finally {
                forget(cql);
            }
        } catch (AllNodesFailedException e) {
            throw new Failure(
                    ExitCode.UNREACHABLE,
                    "no node answers: " + text(e).lines().findFirst().orElse(""),
                    PROGRAM + " cluster status " + status.cluster());
        } catch (DriverException e) {
            throw new Failure(ExitCode.FAILED, text(e), null);
        }
    }

    /**
     * Takes back a login that was made for this session. Cassandra lets no role drop itself, but a superuser deletes
     * the row. If that fails, the login ends automatically after some hours.
     */
    private void forget(CqlSession cql) {
        if (login == null || !login.temporary()) {
            return;
        }
        try {
            cql.execute(SimpleStatement.newInstance("DELETE FROM system_auth.roles WHERE role = ?", login.user()));
        } catch (DriverException e) {
            // what the statements of the session said matters more
        }
    }

    /** The driver's message, which shows only the address of a node. */
    static String text(DriverException e) {
        String message = ThrowableText.of(e);
        for (Node node : nodes(e)) {
            message = message.replace(node.toString(), node.getEndPoint().toString());
        }
        return message;
    }

    private static Collection<Node> nodes(DriverException e) {
        if (e instanceof AllNodesFailedException all) {
            return all.getAllErrors().keySet();
        }
        return e instanceof CoordinatorException one ? List.of(one.getCoordinator()) : List.of();
    }
}
