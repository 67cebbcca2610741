package io.ringmaster.identity;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The CAs that a process trusts, which change while connections are made. Chains, dates, uses and host names are
 * checked by the JDK's own manager (PKIX). A change counts for new handshakes only: {@link TlsContexts#forgetSessions}
 * ends what could be resumed without one.
 */
public final class LiveTrust extends X509ExtendedTrustManager {
    private record Trusted(List<X509Certificate> authorities, X509ExtendedTrustManager manager) {}

    private volatile Trusted trusted;

    /** @param authorities none trusts nobody */
    public LiveTrust(Collection<X509Certificate> authorities) {
        trusted = trusting(authorities);
    }

    /** Replaces the CAs. */
    public void swap(Collection<X509Certificate> authorities) {
        trusted = trusting(authorities);
    }

    /** The CAs that are trusted now. */
    public List<X509Certificate> authorities() {
        return trusted.authorities;
    }

    private static Trusted trusting(Collection<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate authority : authorities) {
                store.setCertificateEntry("ca-" + store.size(), authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            X509ExtendedTrustManager manager = Arrays.stream(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
            return new Trusted(List.copyOf(authorities), manager);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the CA certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /** The JDK's manager fails with an error of the program where there is no CA at all. */
    private X509ExtendedTrustManager manager() throws CertificateException {
        Trusted now = trusted;
        if (now.authorities.isEmpty()) {
            throw new CertificateException("no CA is trusted here");
        }
        return now.manager;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        manager().checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        manager().checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        manager().checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        manager().checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        manager().checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        manager().checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.authorities.toArray(X509Certificate[]::new);
    }
}
