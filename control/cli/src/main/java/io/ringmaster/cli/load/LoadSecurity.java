package io.ringmaster.cli.load;

import io.ringmaster.cli.session.CqlTrust;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the load trusts the nodes and logs in: by files that only the user can read, because everybody can read the
 * arguments of a process. The files are there until this is closed or the command ends.
 */
final class LoadSecurity implements AutoCloseable {
    private final ClusterName cluster;
    private final List<Path> files = new ArrayList<>();
    private final List<String> options = new ArrayList<>();

    private LoadSecurity(ClusterName cluster) {
        this.cluster = cluster;
    }

    /** Makes a login if the cluster wants one. */
    static LoadSecurity of(RingmasterClient client, ClusterName cluster) {
        var security = new LoadSecurity(cluster);
        try {
            Optional<String> authorities = CqlTrust.of(client, cluster);
            if (authorities.isPresent()) {
                security.option("--tls-ca", security.file(".pem", authorities.get()));
            }
            if (client.spec(cluster).spec().requiresLogin()) {
                CqlLogin login = client.cqlLogin(cluster);
                security.option("--user", login.user());
                security.option("--password-file", security.file(".password", login.password()));
            }
            return security;
        } catch (RuntimeException e) {
            security.close();
            throw e;
        }
    }

    /** Arguments of the load generator. */
    List<String> options() {
        return List.copyOf(options);
    }

    private void option(String name, String value) {
        options.add(name);
        options.add(value);
    }

    private String file(String suffix, String text) {
        try {
            // only its owner may read it
            Path file = Files.createTempFile("ringmaster-" + cluster + "-", suffix);
            files.add(file);
            file.toFile().deleteOnExit(); // also after Ctrl-C
            return Files.writeString(file, text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write what the load needs to connect to " + cluster, e);
        }
    }

    @Override
    public void close() {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // is deleted at the end of the command
            }
        }
    }
}
