package io.ringmaster.executor.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import io.ringmaster.executor.log.Log;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.NamedTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of the executor's API: its own certificate, and the servers that it answers. The pool lays the files down and
 * renews them; they are read again before the first handshake after a change. A certificate that has ended is served
 * all the same: its server does not accept it, and lays down another one.
 */
public final class Door {
    static {
        // a ticket would resume a session without a look at the certificate; read when a context is made
        System.setProperty("jdk.tls.server.enableSessionTicketExtension", "false");
    }

    /** The key and certificate of the executor. */
    public static final String DOOR = "door.pem";

    /** The authorities of the servers. */
    public static final String SERVERS = "servers.pem";

    private final Path identity;
    private final Path servers;
    private final SpiffeName server;
    private final boolean asksAll;
    private final LiveKeys keys;
    private final LiveTrust authorities;
    private final NamedTrust trust;
    private final SSLContext context;
    private volatile @Nullable Admitted last;
    private List<Version> seen;
    private @Nullable String failure;

    /** The last server that was admitted, and the authorities by which it was. */
    private record Admitted(X509Certificate server, List<X509Certificate> authorities) {}

    /** Of a file; another one is renamed into its place. */
    private record Version(FileTime changed, @Nullable Object key) {
        static Version of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime(), attributes.fileKey());
        }
    }

    private Door(Path directory, DatacenterName datacenter, boolean asksAll) throws IOException {
        this.identity = directory.resolve(DOOR);
        this.servers = directory.resolve(SERVERS);
        this.server = SpiffeName.server(datacenter.value());
        this.asksAll = asksAll;
        seen = versions();
        keys = new LiveKeys(readIdentity());
        authorities = new LiveTrust(Pem.certificates(servers));
        trust = new NamedTrust(authorities, engine -> Optional.of(server));
        context = TlsContexts.of(keys, trust);
    }

    /**
     * Reads {@code door.pem} and {@code servers.pem}.
     *
     * @param datacenter whose servers are answered
     * @param probed whether a kubelet, which has no certificate, probes this executor; otherwise nobody gets an answer
     *     without one
     * @throws IllegalArgumentException they cannot be used; the message names the file
     */
    public static Door open(Path directory, DatacenterName datacenter, boolean probed) {
        try {
            return new Door(directory, datacenter, !probed);
        } catch (IOException e) {
            throw new IllegalArgumentException("--door: " + ThrowableText.of(e) + " -> launch the node again", e);
        }
    }

    private KeyAndChain readIdentity() throws IOException {
        return Pem.keyAndChain(Files.readString(identity), identity.toString());
    }

    private List<Version> versions() throws IOException {
        return List.of(Version.of(identity), Version.of(servers));
    }

    /** Reads the files if they have changed. What cannot be read changes nothing, and is tried again. */
    private synchronized void look() {
        try {
            List<Version> now = versions();
            if (now.equals(seen)) {
                return;
            }
            KeyAndChain next = readIdentity();
            List<X509Certificate> nextAuthorities = Pem.certificates(servers);
            keys.swap(next);
            authorities.swap(nextAuthorities);
            TlsContexts.forgetSessions(context);
            seen = now;
            failure = null;
            Log.info("door renewed, it ends at " + next.leaf().getNotAfter().toInstant());
        } catch (IOException e) {
            if (!e.toString().equals(failure)) {
                failure = e.toString();
                Log.error("the door cannot be renewed, the one before stays", e);
            }
        }
    }

    HttpsConfigurator configurator() {
        return new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters connection) {
                look();
                SSLParameters parameters = TlsContexts.parameters(context);
                if (asksAll) {
                    parameters.setNeedClientAuth(true);
                } else {
                    parameters.setWantClientAuth(true);
                }
                connection.setSSLParameters(parameters);
            }
        };
    }

    /**
     * Whether a server asks, by what is trusted now: its connection may be old. A server asks several times a second,
     * so its certificate is verified again only after a change.
     */
    boolean admits(HttpExchange http) {
        look();
        SSLSession session = ((HttpsExchange) http).getSSLSession();
        // never resumed
        session.invalidate();
        try {
            X509Certificate[] chain = (X509Certificate[]) session.getPeerCertificates();
            Admitted asking = new Admitted(chain[0], authorities.authorities());
            if (asking.equals(last)) {
                chain[0].checkValidity();
                return true;
            }
            trust.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
            last = asking;
            return true;
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            return false;
        }
    }
}
