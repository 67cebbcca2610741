package io.ringmaster.executor.identity;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.log.Log;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Has the running daemon use the newest certificates, without a restart, and proves it by handshakes with the storage
 * port and the CQL port. Cassandra reports no failed reload, and a reload that no handshake follows makes it miss the
 * next bad file. The two ports are proven on their own. A port that is full, slow or closed proves nothing yet: that is
 * a problem when it goes on, because a daemon that has lost its key closes each connection, too.
 */
public final class CertificateReload {
    private static final byte[] RELOAD = ("{\"mbean\": \"org.apache.cassandra.net:type=MessagingService\","
                    + " \"operation\": \"reloadSslCertificates\", \"signature\": [], \"arguments\": []}")
            .getBytes(StandardCharsets.UTF_8);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    /** A port that proves nothing for so long is a problem, and gets another reload. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** After a port that did not answer, which may have held up the executor for seconds. */
    private static final Duration LONG_PAUSE = Duration.ofMinutes(1);

    private final NodeIdentity identity;
    private final CompanionClient companion;
    private final LongSupplier nanoTime;

    /** The serial numbers of certificates that the daemon serves. */
    private final Set<String> proven = new HashSet<>();

    /**
     * When the daemon has reloaded for others, in ns of the monotonic clock like all times here; a port that nobody can
     * reach must not have it reload without end.
     */
    private final Map<String, Long> reloaded = new HashMap<>();

    /** Since when ports prove nothing. */
    private final Map<String, Long> silentSince = new HashMap<>();

    private long notBefore;

    /**
     * A port of the daemon and the certificate that it must serve.
     *
     * @param context made only for a handshake
     * @param problem gets the reason why it does not, or null once it does
     * @param inUse runs once it does: the daemon has then read all files together
     */
    private record Served(
            InetSocketAddress port,
            HeldCertificate wanted,
            Supplier<SSLContext> context,
            Consumer<@Nullable String> problem,
            Runnable inUse) {
        String serial() {
            return wanted.serial();
        }
    }

    private enum Seen {
        NEWEST,
        /** Another certificate, or none that is trusted. */
        ANOTHER,
        /** No handshake ended. */
        NOTHING
    }

    public CertificateReload(NodeIdentity identity, CompanionClient companion) {
        this(identity, companion, System::nanoTime);
    }

    /** @param nanoTime replaces {@link System#nanoTime} in tests */
    CertificateReload(NodeIdentity identity, CompanionClient companion, LongSupplier nanoTime) {
        this.identity = identity;
        this.companion = companion;
        this.nanoTime = nanoTime;
        this.notBefore = nanoTime.getAsLong();
    }

    /** A daemon reads the files when it starts. */
    public void daemonStarted() {
        proven.clear();
        reloaded.clear();
        silentSince.clear();
        HeldIdentity held = identity.held();
        if (held != null) {
            proven.add(held.node().serial());
        }
        identity.loaded(held == null ? List.of() : held.reportedTrust());
        Optional.ofNullable(identity.cql()).map(HeldCertificate::serial).ifPresent(proven::add);
        identity.unproven(null);
        identity.unprovenToClients(null);
    }

    /** A daemon runs that an earlier executor started: which files it has read is proven again. */
    public void daemonAdopted() {
        identity.loaded(List.of());
    }

    /** The next daemon reads the files as they are then. */
    public void daemonEnded() {
        identity.loaded(null);
    }

    /**
     * Reloads if the daemon serves other certificates than those of the files; at most every 10 s, or every minute
     * while a port does not answer.
     *
     * @param cqlPort null while clients cannot connect, or connect in clear text
     */
    public void advance(long daemonPid, InetSocketAddress storagePort, @Nullable InetSocketAddress cqlPort) {
        if (nanoTime.getAsLong() - notBefore < 0) {
            return;
        }
        List<Served> unproven = ports(storagePort, cqlPort).stream()
                .filter(port -> !proven.contains(port.serial()))
                .toList();
        if (unproven.isEmpty()) {
            return;
        }
        notBefore = nanoTime.getAsLong() + PAUSE.toNanos();
        List<Served> stale = new ArrayList<>();
        boolean helps = false;
        for (Served port : unproven) {
            Seen seen = look(port);
            if (seen == Seen.NEWEST) {
                proven(port);
            } else {
                stale.add(port);
                Long last = reloaded.get(port.serial());
                helps |= seen == Seen.ANOTHER || last == null || isLongAgo(last);
            }
        }
        if (helps) {
            reload(daemonPid, stale);
        }
    }

    private List<Served> ports(InetSocketAddress storagePort, @Nullable InetSocketAddress cqlPort) {
        HeldIdentity held = identity.held();
        HeldCertificate cql = identity.cql();
        List<Served> ports = new ArrayList<>();
        if (held != null) {
            ports.add(new Served(
                    storagePort,
                    held.node(),
                    () -> TlsContexts.of(new LiveKeys(held.node().identity()), new LiveTrust(held.trust())),
                    identity::unproven,
                    () -> identity.loaded(held.reportedTrust())));
        }
        if (cqlPort != null && cql != null) {
            ports.add(new Served(
                    cqlPort,
                    cql,
                    () -> TlsContexts.of(null, new LiveTrust(List.of(cql.authority()))),
                    identity::unprovenToClients,
                    () -> {}));
        }
        return ports;
    }

    private void reload(long daemonPid, List<Served> ports) {
        try {
            reload(daemonPid);
        } catch (IOException e) {
            ports.forEach(port -> refused(port, ThrowableText.of(e)));
            return;
        }
        for (Served port : ports) {
            reloaded.put(port.serial(), nanoTime.getAsLong());
            switch (look(port)) {
                case NEWEST -> proven(port);
                case ANOTHER ->
                    refused(port, "port " + port.port().getPort() + " still serves another certificate after a reload");
                case NOTHING -> {}
            }
        }
    }

    private void proven(Served port) {
        proven.add(port.serial());
        port.problem().accept(null);
        port.inUse().run();
        Log.info("the daemon uses certificate " + port.serial());
    }

    private static void refused(Served port, String why) {
        problem(port, "is not in use: " + why);
    }

    private static void problem(Served port, String what) {
        String reason = "certificate " + port.serial() + " " + what;
        Log.info(reason);
        port.problem().accept(reason);
    }

    private void reload(long daemonPid) throws IOException {
        CompanionClient.Answer answer = companion.call(daemonPid, "POST /mbean", RELOAD, Duration.ofSeconds(30));
        if (answer.status() != 200) {
            throw new IOException("the reload failed: " + answer.error());
        }
    }

    /** A certificate that is refused, as one that has ended, is another one. */
    private Seen look(Served port) {
        try {
            boolean newest = serves(port);
            silentSince.remove(port.serial());
            return newest ? Seen.NEWEST : Seen.ANOTHER;
        } catch (IOException e) {
            if (e instanceof SSLException && !isCutShort(e)) {
                silentSince.remove(port.serial());
                return Seen.ANOTHER;
            }
            silent(port, e);
            return Seen.NOTHING;
        }
    }

    private void silent(Served port, IOException e) {
        long now = nanoTime.getAsLong();
        notBefore = now + LONG_PAUSE.toNanos();
        long since = silentSince.computeIfAbsent(port.serial(), serial -> now);
        if (isLongAgo(since)) {
            problem(port, "is not proven for " + PATIENCE.toMinutes() + " minutes: " + ThrowableText.of(e));
        } else {
            Log.info("certificate " + port.serial() + " is not proven yet: " + ThrowableText.of(e));
        }
    }

    private boolean isLongAgo(long time) {
        return nanoTime.getAsLong() - time >= PATIENCE.toNanos();
    }

    /** Whether the connection ended, or took too long, before the handshake did. */
    private static boolean isCutShort(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException
                    || cause instanceof SocketException
                    || cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** Whether the port serves this certificate, seen by a handshake as another node or a client would make it. */
    private static boolean serves(Served served) throws IOException {
        InetSocketAddress port = served.port();
        InetAddress address = Objects.requireNonNull(port.getAddress(), "addresses of nodes are literals");
        int millis = (int) TIMEOUT.toMillis();
        SSLContext context = served.context().get();
        try (var plain = new Socket()) {
            plain.connect(port, millis);
            plain.setSoTimeout(millis);
            try (var socket = (SSLSocket)
                    context.getSocketFactory().createSocket(plain, address.getHostAddress(), port.getPort(), true)) {
                socket.setSSLParameters(TlsContexts.parameters(context));
                socket.startHandshake();
                var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return certificate.getSerialNumber().toString(16).equals(served.serial());
            }
        }
    }
}
