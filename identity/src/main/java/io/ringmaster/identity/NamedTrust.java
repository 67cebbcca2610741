package io.ringmaster.identity;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the holder of the expected SPIFFE name, by one of the CAs. Addresses and host names do not count, so that a
 * process may move, and another one at its former address is a stranger.
 */
public final class NamedTrust extends X509ExtendedTrustManager {
    private final LiveTrust authorities;
    private final Function<@Nullable SSLEngine, Optional<SpiffeName>> expected;

    /**
     * @param expected the name of the other side, which a client's engine knows by host and port; empty trusts nobody.
     *     The engine is null where a certificate is judged without a handshake.
     */
    public NamedTrust(LiveTrust authorities, Function<@Nullable SSLEngine, Optional<SpiffeName>> expected) {
        this.authorities = authorities;
        this.expected = expected;
    }

    private void checkName(X509Certificate[] chain, @Nullable SSLEngine engine) throws CertificateException {
        Optional<SpiffeName> wanted = expected.apply(engine);
        Optional<SpiffeName> shown = SubjectNames.of(chain[0]).spiffe();
        if (wanted.isEmpty() || !wanted.equals(shown)) {
            throw new CertificateException("its certificate is of " + name(shown) + " and not of " + name(wanted));
        }
    }

    private static String name(Optional<SpiffeName> name) {
        return name.map(SpiffeName::toString).orElse("nobody");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        // PKIX would not say that it is the date
        chain[0].checkValidity();
        // without the engine, which would make the JDK compare host names
        authorities.checkServerTrusted(chain, authType);
        checkName(chain, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType, (SSLEngine) null);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        checkServerTrusted(chain, authType, (SSLEngine) null);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        authorities.checkClientTrusted(chain, authType);
        checkName(chain, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType, (SSLEngine) null);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        checkClientTrusted(chain, authType, (SSLEngine) null);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
