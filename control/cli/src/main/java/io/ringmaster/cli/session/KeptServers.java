package io.ringmaster.cli.session;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a user has logged in to, with the CA and the token of each, in files that only the user can read.
 * Servers of this computer need no login: their CAs are in the folder {@code trust}.
 *
 * @param home the folder of Ringmaster's own files
 */
public record KeptServers(Path home) {
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final int HTTPS = 443;

    private Path folder(URI server) {
        String host = server.getHost().replaceAll("[^A-Za-z0-9.-]", "_");
        return home.resolve("servers").resolve(host + "_" + port(server));
    }

    static int port(URI server) {
        return server.getPort() > 0 ? server.getPort() : "https".equals(server.getScheme()) ? HTTPS : 80;
    }

    /** The token of a server, which alone goes there unless the user names a file; empty without a login. */
    public Optional<Path> tokenFile(URI server) {
        boolean kept = "https".equals(server.getScheme())
                && Files.exists(folder(server).resolve("ca.pem"));
        return kept ? Optional.of(folder(server).resolve("token")) : Optional.empty();
    }

    /** Keeps a server until the next login. */
    public void keep(URI server, X509Certificate authority, String token) throws IOException {
        Files.createDirectories(folder(server), PRIVATE);
        DurableFiles.write(folder(server).resolve("ca.pem"), Pem.text(authority));
        DurableFiles.write(folder(server).resolve("token"), token + "\n");
    }

    /**
     * Trusts the CA that was kept for a server, and no other; without a login, the CAs of this computer's servers.
     *
     * @throws Failure neither is there
     */
    SSLContext trust(URI server) {
        Path kept = folder(server).resolve("ca.pem");
        try {
            List<X509Certificate> authorities =
                    Files.exists(kept) ? Pem.certificates(kept) : Pem.certificatesIn(home.resolve("trust"));
            if (authorities.isEmpty()) {
                throw new Failure(
                        ExitCode.USAGE,
                        "the CA of " + server + " is not known here",
                        PROGRAM + " login " + server + " --ca FINGERPRINT, with the fingerprint in the server's log");
            }
            return trusting(authorities);
        } catch (IOException e) {
            throw new UncheckedIOException(ThrowableText.of(e), e);
        }
    }

    /**
     * A client of a server. By TLS only the server whose CA was kept gets the token.
     *
     * @throws Failure nobody knows the CA of the server
     */
    public RingmasterClient client(URI server, @Nullable String token, Duration timeout) {
        return "https".equals(server.getScheme())
                ? new RingmasterClient(server, token, timeout, trust(server))
                : new RingmasterClient(server, token, timeout);
    }

    /** Trusts these CAs alone. */
    public static SSLContext trusting(List<X509Certificate> authorities) {
        return TlsContexts.of(null, new LiveTrust(authorities));
    }
}
