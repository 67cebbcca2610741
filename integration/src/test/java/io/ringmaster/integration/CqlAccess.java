package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import io.ringmaster.cli.session.CqlTrust;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a CQL client connects to a cluster.
 *
 * @param authorities by which it trusts the nodes, in PEM; null in clear text
 * @param user whose login it has; null where every client is let in
 */
record CqlAccess(@Nullable String authorities, @Nullable String user, @Nullable String password) {
    /** The role of a playground's spec. It may do everything with data, and is no superuser. */
    static final String ROLE = "app";
    /** That role, in a spec. */
    static final String SPEC =
            "roles: {" + ROLE + ": {login: true, password: generated, grants: [\"ALL ON ALL KEYSPACES\"]}}\n";

    /** As a role of the spec, if it declares one whose password was generated; otherwise by a login for hours. */
    static CqlAccess of(RingmasterClient client, ClusterName cluster) {
        ClusterSpec spec = client.spec(cluster).spec();
        if (!spec.requiresLogin()) {
            return new CqlAccess(CqlTrust.of(client, cluster).orElse(null), null, null);
        }
        var role = new RoleName(ROLE);
        if (spec.roles() != null && spec.roles().stream().anyMatch(r -> r.name().equals(role))) {
            return as(client, cluster, ROLE, client.rolePassword(cluster, role).password());
        }
        return administrator(client, cluster);
    }

    /** By a login for hours, which reads what no role of a spec may. The cluster lets in nobody without a login. */
    static CqlAccess administrator(RingmasterClient client, ClusterName cluster) {
        CqlLogin login = client.cqlLogin(cluster);
        return as(client, cluster, login.user(), login.password());
    }

    /** With a login that the test knows. */
    static CqlAccess as(RingmasterClient client, ClusterName cluster, String user, String password) {
        return new CqlAccess(CqlTrust.of(client, cluster).orElse(null), user, password);
    }

    /** The address of a node must be in its certificate. */
    void applyTo(CqlSessionBuilder session) {
        if (authorities != null) {
            try {
                var trust = new LiveTrust(Pem.certificates(authorities, "the authorities"));
                session.withSslEngineFactory(new ProgrammaticSslEngineFactory(TlsContexts.of(null, trust), null, true));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (user != null && password != null) {
            session.withAuthCredentials(user, password);
        }
    }

    /** Options of metronome, with files in the folder that only their owner can read. */
    List<String> metronome(Path folder) {
        List<String> options = new ArrayList<>();
        if (authorities != null) {
            options.add("--tls-ca=" + secret(folder.resolve("ca.pem"), authorities));
        }
        if (user != null && password != null) {
            options.add("--user=" + user);
            options.add("--password-file=" + secret(folder.resolve("password"), password));
        }
        return options;
    }

    private static Path secret(Path file, String text) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
