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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Has the running daemon use the newest certificates, without a restart, and proves it by handshakes with the storage
 * port and the CQL port. Cassandra reports no failed reload, and a reload that no handshake follows makes it miss the
 * next bad file.
 */
public final class CertificateReload {
    private static final byte[] RELOAD = ("{\"mbean\": \"org.apache.cassandra.net:type=MessagingService\","
                    + " \"operation\": \"reloadSslCertificates\", \"signature\": [], \"arguments\": []}")
            .getBytes(StandardCharsets.UTF_8);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final NodeIdentity identity;
    private final CompanionClient companion;

    /** The serial numbers of certificates that the daemon serves. */
    private final Set<String> proven = new HashSet<>();

    private Instant notBefore = Instant.MIN;

    /** A port of the daemon and the certificate that it must serve. */
    private record Served(InetSocketAddress port, HeldCertificate wanted, SSLContext context) {
        String serial() {
            return wanted.serial();
        }
    }

    public CertificateReload(NodeIdentity identity, CompanionClient companion) {
        this.identity = identity;
        this.companion = companion;
    }

    /** A daemon reads the files when it starts. */
    public void daemonStarted() {
        proven.clear();
        HeldIdentity held = identity.held();
        if (held != null) {
            proven.add(held.node().serial());
            Optional.ofNullable(held.cql()).map(HeldCertificate::serial).ifPresent(proven::add);
        }
        identity.unproven(null);
    }

    /**
     * Reloads if the daemon serves other certificates than those of the files; at most every 10 s.
     *
     * @param cqlPort null while clients cannot connect, or connect in clear text
     */
    public void advance(long daemonPid, InetSocketAddress storagePort, @Nullable InetSocketAddress cqlPort) {
        HeldIdentity held = identity.held();
        if (held == null || Instant.now().isBefore(notBefore)) {
            return;
        }
        List<Served> unproven = ports(held, storagePort, cqlPort).stream()
                .filter(port -> !proven.contains(port.serial()))
                .toList();
        if (unproven.isEmpty()) {
            return;
        }
        notBefore = Instant.now().plus(PAUSE);
        String serials = unproven.stream().map(Served::serial).collect(Collectors.joining(", "));
        try {
            prove(daemonPid, unproven);
            unproven.forEach(port -> proven.add(port.serial()));
            identity.unproven(null);
            Log.info("the daemon uses certificate " + serials);
        } catch (IOException e) {
            String reason = "certificate " + serials + " is not in use: " + e.getMessage();
            Log.info(reason);
            identity.unproven(reason);
        }
    }

    private static List<Served> ports(
            HeldIdentity held, InetSocketAddress storagePort, @Nullable InetSocketAddress cqlPort) {
        HeldCertificate node = held.node();
        HeldCertificate cql = held.cql();
        List<Served> ports = new ArrayList<>();
        ports.add(new Served(
                storagePort, node, TlsContexts.of(new LiveKeys(node.identity()), new LiveTrust(held.trust()))));
        if (cqlPort != null && cql != null) {
            ports.add(new Served(cqlPort, cql, TlsContexts.of(null, new LiveTrust(List.of(cql.authority())))));
        }
        return ports;
    }

    private void prove(long daemonPid, List<Served> ports) throws IOException {
        boolean stale = false;
        for (Served port : ports) {
            stale |= !servesAlready(port);
        }
        if (!stale) {
            return;
        }
        reload(daemonPid);
        for (Served port : ports) {
            if (!serves(port)) {
                throw new IOException(
                        "port " + port.port().getPort() + " still serves another certificate after a reload");
            }
        }
    }

    private void reload(long daemonPid) throws IOException {
        CompanionClient.Answer answer = companion.call(daemonPid, "POST /mbean", RELOAD, Duration.ofSeconds(30));
        if (answer.status() != 200) {
            throw new IOException("the reload failed: " + answer.body());
        }
    }

    /** A certificate that is refused, as one that has ended, is another one: only a reload helps. */
    private static boolean servesAlready(Served port) throws IOException {
        try {
            return serves(port);
        } catch (SSLException e) {
            return false;
        }
    }

    /** Whether the port serves this certificate, seen by a handshake as another node or a client would make it. */
    private static boolean serves(Served served) throws IOException {
        InetSocketAddress port = served.port();
        InetAddress address = Objects.requireNonNull(port.getAddress(), "addresses of nodes are literals");
        int millis = (int) TIMEOUT.toMillis();
        try (var plain = new Socket()) {
            plain.connect(port, millis);
            plain.setSoTimeout(millis);
            try (var socket = (SSLSocket) served.context()
                    .getSocketFactory()
                    .createSocket(plain, address.getHostAddress(), port.getPort(), true)) {
                socket.setSSLParameters(TlsContexts.parameters(served.context()));
                socket.startHandshake();
                var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return certificate.getSerialNumber().toString(16).equals(served.serial());
            }
        }
    }
}
