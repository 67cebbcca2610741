package io.ringmaster.executor.identity;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.log.Log;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Has the running daemon use the newest certificate, without a restart, and proves it by a handshake with the storage
 * port. Cassandra reports no failed reload, and a reload that no handshake follows makes it miss the next bad file.
 */
public final class CertificateReload {
    private static final byte[] RELOAD = ("{\"mbean\": \"org.apache.cassandra.net:type=MessagingService\","
                    + " \"operation\": \"reloadSslCertificates\", \"signature\": [], \"arguments\": []}")
            .getBytes(StandardCharsets.UTF_8);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final NodeIdentity identity;
    private final CompanionClient companion;

    private @Nullable String proven;
    private Instant notBefore = Instant.MIN;

    public CertificateReload(NodeIdentity identity, CompanionClient companion) {
        this.identity = identity;
        this.companion = companion;
    }

    /** A daemon reads the files when it starts. */
    public void daemonStarted() {
        proven = identity.serial();
        identity.unproven(null);
    }

    /** Reloads if the daemon serves another certificate than that of the files; at most every 10 s. */
    public void advance(long daemonPid, InetSocketAddress storagePort) {
        HeldIdentity wanted = identity.held();
        if (wanted == null || wanted.serial().equals(proven) || Instant.now().isBefore(notBefore)) {
            return;
        }
        notBefore = Instant.now().plus(PAUSE);
        try {
            if (!servesAlready(wanted, storagePort)) {
                reload(daemonPid);
                if (!serves(wanted, storagePort)) {
                    throw new IOException("the daemon still serves another certificate after a reload");
                }
            }
            proven = wanted.serial();
            identity.unproven(null);
            Log.info("the daemon uses certificate " + proven);
        } catch (IOException e) {
            String reason = "certificate " + wanted.serial() + " is not in use: " + e.getMessage();
            Log.info(reason);
            identity.unproven(reason);
        }
    }

    private void reload(long daemonPid) throws IOException {
        CompanionClient.Answer answer = companion.call(daemonPid, "POST /mbean", RELOAD, Duration.ofSeconds(30));
        if (answer.status() != 200) {
            throw new IOException("the reload failed: " + answer.body());
        }
    }

    /** A certificate that is refused, as one that has ended, is another one: only a reload helps. */
    private static boolean servesAlready(HeldIdentity wanted, InetSocketAddress port) throws IOException {
        try {
            return serves(wanted, port);
        } catch (SSLException e) {
            return false;
        }
    }

    /** Whether the port serves this certificate, seen by a handshake as another node would make it. */
    private static boolean serves(HeldIdentity wanted, InetSocketAddress port) throws IOException {
        SSLContext context = TlsContexts.of(new LiveKeys(wanted.identity()), new LiveTrust(wanted.trust()));
        InetAddress address = Objects.requireNonNull(port.getAddress(), "addresses of nodes are literals");
        int millis = (int) TIMEOUT.toMillis();
        try (var plain = new Socket()) {
            plain.connect(port, millis);
            plain.setSoTimeout(millis);
            try (var socket = (SSLSocket)
                    context.getSocketFactory().createSocket(plain, address.getHostAddress(), port.getPort(), true)) {
                socket.setSSLParameters(TlsContexts.parameters(context));
                socket.startHandshake();
                var served = (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return served.getSerialNumber().toString(16).equals(wanted.serial());
            }
        }
    }
}
