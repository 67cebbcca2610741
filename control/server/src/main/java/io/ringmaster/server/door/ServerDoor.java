package io.ringmaster.server.door;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens by TLS with a certificate of the datacenter's own CA. The key is made at each start and stays in memory; the
 * certificate is renewed while the server runs, and connections that exist go on.
 */
public final class ServerDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerDoor.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final InetSocketAddress listen;
    private final @Nullable InetSocketAddress seedListen;
    private final Duration life;
    private final Clock clock;
    private final Issuer issuer;
    private final LeafProfile profile;
    private final X509Certificate authority;
    private final TrustedServers trusted;
    private final LiveKeys keys;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "door");
        thread.setDaemon(true);
        return thread;
    });
    private Instant renewal;

    private ServerDoor(ServerConfig config, TlsSettings tls, Clock clock) throws IOException {
        this.listen = config.listen();
        this.seedListen = tls.seedListen();
        this.life = tls.certificateLife();
        this.clock = clock;
        AuthorityName name = AuthorityName.control(config.datacenter(), 1);
        issuer = new Issuer(new AuthorityDirectory(config.stateDirectory().resolve("authority")), name, life, clock);
        authority = Pem.certificates(issuer.make(name).text(), name.toString()).get(0);
        profile = LeafProfile.server(name, hosts(config));
        trusted = new TrustedServers(tls.trustDirectory());
        trusted.add(config.datacenter(), authority);
        trusted.look();
        renewal = nextRenewal();
        keys = new LiveKeys(identity());
    }

    /**
     * Makes the CA at the first start, and a certificate at each.
     *
     * @throws UncheckedIOException the CA cannot be stored; names the file
     * @throws io.ringmaster.ports.UnusableAuthorityException its file is damaged
     */
    public static ServerDoor open(ServerConfig config, TlsSettings tls, Clock clock) {
        try {
            var door = new ServerDoor(config, tls, clock);
            var unused = door.looks.scheduleWithFixedDelay(
                    door::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException("tls: " + ThrowableText.of(e), e);
        }
    }

    /** Everything under which this server may be reached. */
    private static List<String> hosts(ServerConfig config) {
        var hosts = new ArrayList<>(List.of("localhost", "127.0.0.1", "::1"));
        if (!config.listen().getAddress().isAnyLocalAddress()) {
            hosts.add(config.listen().getAddress().getHostAddress());
        }
        hosts.add(config.url().getHost());
        config.seedUrls().stream().map(URI::getHost).forEach(hosts::add);
        hosts.addAll(config.webHosts());
        return hosts;
    }

    /** With the CA, so that {@code ringmaster login} can keep it by its fingerprint. */
    private KeyAndChain identity() {
        KeyAndChain own = issuer.identity(profile);
        return new KeyAndChain(own.key(), List.of(own.leaf(), authority));
    }

    private Instant nextRenewal() {
        return clock.now().plus(life.multipliedBy(2).dividedBy(3));
    }

    private void look() {
        try {
            trusted.look();
            if (!clock.now().isBefore(renewal)) {
                keys.swap(identity());
                renewal = nextRenewal();
                LOG.info(
                        "renewed its certificate, which ends at {}",
                        keys.current().leaf().getNotAfter().toInstant());
            }
        } catch (RuntimeException e) {
            LOG.warn("cannot renew the server's certificate: {}", ThrowableText.of(e));
        }
    }

    /** {@code 127.0.0.1:8080 or 127.0.0.1:8090}, for errors. */
    public String listeners() {
        return text(listen) + (seedListen == null ? "" : " or " + text(seedListen));
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** The fingerprint by which users keep this server's CA. */
    public Fingerprint fingerprint() {
        return Fingerprint.of(authority);
    }

    /** For clients of other servers. */
    public SSLContext clients() {
        return trusted.context();
    }

    /** The listener of the API and the page. */
    public Connector secureConnector(Server server, HttpConfiguration http) {
        var tls = new SslContextFactory.Server();
        tls.setSslContext(TlsContexts.of(keys, new LiveTrust(List.of())));
        tls.setIncludeProtocols(TlsContexts.PROTOCOLS.toArray(String[]::new));
        var secure = new HttpConfiguration(http);
        // without the check of SNI, which refuses connections through forwarded ports
        secure.addCustomizer(new SecureRequestCustomizer(false));
        var requests = new HttpConnectionFactory(secure);
        return at(listen, new ServerConnector(server, new SslConnectionFactory(tls, requests.getProtocol()), requests));
    }

    /** Whether nodes may ask for their seeds by http. */
    public boolean hasSeedListener() {
        return seedListen != null;
    }

    /** The listener for nodes that ask for their seeds by http. */
    public Connector seedConnector(Server server, HttpConfiguration http) {
        return at(
                Objects.requireNonNull(seedListen), new ServerConnector(server, 1, 1, new HttpConnectionFactory(http)));
    }

    private static ServerConnector at(InetSocketAddress address, ServerConnector connector) {
        connector.setHost(address.getAddress().getHostAddress());
        connector.setPort(address.getPort());
        return connector;
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
