package io.ringmaster.wire.node;

import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.NamedTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.UnusableAuthorityException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP clients of executors: one for http, one for TLS. That for TLS shows a certificate of this server, and sends
 * a request only to an executor that proves the name of its allocation. It keeps connections open, and it is made again
 * when this server's certificate is renewed, or when the pool reports another allocation at an address: connections to
 * the one before are not used then.
 */
final class ExecutorConnections {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorConnections.class);
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final Supplier<HttpClient.Builder> settings;
    private final Authorities authorities;
    private final AuthorityName control;
    private final Clock clock;
    private final HttpClient plain;
    private final Map<InetSocketAddress, AllocationId> allocations = new ConcurrentHashMap<>();
    private @Nullable Identity identity;
    private @Nullable HttpClient secure;

    /** Of this server to its executors. */
    private record Identity(LiveKeys keys, LiveTrust trust, Instant renewal) {}

    ExecutorConnections(
            Supplier<HttpClient.Builder> settings, Authorities authorities, DatacenterName datacenter, Clock clock) {
        this.settings = settings;
        this.authorities = authorities;
        this.control = AuthorityName.control(datacenter, 1);
        this.clock = clock;
        this.plain = settings.get().build();
    }

    /** @throws UnusableAuthorityException this server can prove to no executor who it is */
    HttpClient to(ExecutorAccess access) {
        return access.door() == null ? plain : secure(address(access.baseUrl()), access.door());
    }

    private synchronized HttpClient secure(InetSocketAddress address, AllocationId allocation) {
        Identity known = identity;
        if (known == null || !clock.now().isBefore(known.renewal())) {
            renew(known);
        }
        AllocationId before = allocations.put(address, allocation);
        boolean isOfAnother = before != null && !before.equals(allocation);
        HttpClient client = secure;
        if (client == null || isOfAnother) {
            client = made(Objects.requireNonNull(identity, "renewed above"));
            secure = client;
        }
        return client;
    }

    private HttpClient made(Identity own) {
        SSLContext context = TlsContexts.of(own.keys(), new NamedTrust(own.trust(), this::expected));
        return settings.get()
                .sslContext(context)
                .sslParameters(TlsContexts.parameters(context))
                .build();
    }

    /** The name of the executor that the pool reports where an engine connects to. */
    private Optional<SpiffeName> expected(@Nullable SSLEngine engine) {
        if (engine == null || engine.getPeerHost() == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(allocations.get(address(engine.getPeerHost(), engine.getPeerPort())))
                .map(allocation -> SpiffeName.executor(control.datacenter().value(), allocation.value()));
    }

    /** Pools report IP addresses, in one of their forms; nothing is looked up. */
    private static InetSocketAddress address(URI url) {
        return address(url.getHost(), url.getPort());
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(host, port);
    }

    private void renew(@Nullable Identity before) {
        try {
            identity = issued();
            secure = null;
        } catch (UnusableAuthorityException e) {
            if (before == null) {
                throw e;
            }
            LOG.warn("the certificate of this server to its executors is not renewed: {}", e.getMessage());
            identity = new Identity(before.keys(), before.trust(), clock.now().plus(RETRY));
        }
    }

    /** A new key in memory; executors do not look at the hosts. */
    private Identity issued() {
        try {
            CertificatePem authority = authorities.make(control);
            KeyPair keys = EcKeys.generate();
            var chain = new ArrayList<X509Certificate>();
            for (CertificatePem certificate : authorities.issue(
                    LeafProfile.server(control, List.of("localhost")), new PublicKeyPem(Pem.text(keys.getPublic())))) {
                chain.addAll(Pem.certificates(certificate.text(), "the certificate of this server"));
            }
            KeyAndChain own = new KeyAndChain(keys.getPrivate(), chain);
            Instant now = clock.now();
            Duration left = Duration.between(now, own.leaf().getNotAfter().toInstant());
            return new Identity(
                    new LiveKeys(own),
                    new LiveTrust(Pem.certificates(authority.text(), control.toString())),
                    now.plus(left.multipliedBy(2).dividedBy(3)));
        } catch (PemException e) {
            throw new UnusableAuthorityException(control, String.valueOf(e.getMessage()), e);
        }
    }
}
