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
import io.ringmaster.model.error.ThrowableText;
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
    private @Nullable Identity identity;
    private @Nullable Secure secure;

    /** Of this server to its executors. */
    private record Identity(LiveKeys keys, LiveTrust trust, Instant renewal) {}

    /** A client, and the executors that it was used for: none of its connections leads to another one there. */
    private record Secure(HttpClient client, Map<InetSocketAddress, AllocationId> allocations) {}

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
        Secure now = secure;
        if (now == null || !allocation.equals(now.allocations().getOrDefault(address, allocation))) {
            now = made(Objects.requireNonNull(identity, "renewed above"));
            secure = now;
        }
        now.allocations().put(address, allocation);
        return now.client();
    }

    private Secure made(Identity own) {
        var allocations = new ConcurrentHashMap<InetSocketAddress, AllocationId>();
        SSLContext context =
                TlsContexts.of(own.keys(), new NamedTrust(own.trust(), engine -> expected(engine, allocations)));
        return new Secure(
                settings.get()
                        .sslContext(context)
                        .sslParameters(TlsContexts.parameters(context))
                        .build(),
                allocations);
    }

    /** The name of the executor that the client was asked for where an engine connects to. */
    private Optional<SpiffeName> expected(
            @Nullable SSLEngine engine, Map<InetSocketAddress, AllocationId> allocations) {
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
            identity = issued(before == null);
            secure = null;
        } catch (UnusableAuthorityException e) {
            if (before == null) {
                throw e;
            }
            LOG.warn("the certificate of this server to its executors is not renewed: {}", ThrowableText.of(e));
            identity = new Identity(before.keys(), before.trust(), clock.now().plus(RETRY));
        }
    }

    /**
     * A new key in memory; executors do not look at the hosts.
     *
     * @param first whether the authority may be made; a lost one is an error later, not replaced in silence
     */
    private Identity issued(boolean first) {
        try {
            if (first) {
                authorities.make(control);
            }
            KeyPair keys = EcKeys.generate();
            var chain = new ArrayList<X509Certificate>();
            for (CertificatePem certificate : authorities.issue(
                    LeafProfile.server(control, List.of("localhost")), new PublicKeyPem(Pem.text(keys.getPublic())))) {
                chain.addAll(Pem.certificates(certificate.text(), "the certificate of this server"));
            }
            CertificatePem authority = authorities.make(control);
            KeyAndChain own = new KeyAndChain(keys.getPrivate(), chain);
            Instant now = clock.now();
            Duration left = Duration.between(now, own.leaf().getNotAfter().toInstant());
            return new Identity(
                    new LiveKeys(own),
                    new LiveTrust(Pem.certificates(authority.text(), control.toString())),
                    now.plus(left.multipliedBy(2).dividedBy(3)));
        } catch (PemException e) {
            throw new UnusableAuthorityException(control, ThrowableText.of(e), e);
        }
    }
}
