package io.ringmaster.cqlshell;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user and password of a session.
 *
 * @param temporary whether the server made this login for the session
 */
record CqlCredentials(String user, Secret password, boolean temporary) {
    /**
     * Those that the caller names, or a login that the server makes for a time; null for a cluster that lets every
     * client in.
     *
     * @param user null for a login of the server
     * @param file of the password of the user
     */
    static @Nullable CqlCredentials of(
            RingmasterClient client, ClusterName cluster, @Nullable String user, @Nullable Path file) {
        if ((user == null) != (file == null)) {
            throw new Failure(ExitCode.USAGE, "--user and --password-file belong together", null);
        }
        if (user != null && file != null) {
            return new CqlCredentials(user, read(file), false);
        }
        if (!client.spec(cluster).spec().requiresLogin()) {
            return null;
        }
        CqlLogin login = client.cqlLogin(cluster);
        return new CqlCredentials(login.user(), new Secret(login.password()), true);
    }

    private static Secret read(Path file) {
        try {
            return new Secret(Files.readString(file).strip());
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "cannot read " + file + ": " + e, null);
        }
    }
}
