package io.ringmaster.wire.node;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP client for each set of CA certificates, because a client has one trust store. A pool has one CA, rarely
 * two.
 */
final class TrustingClients {
    private final Supplier<HttpClient.Builder> settings;
    private final HttpClient usual;
    private final Map<String, HttpClient> byCa = new ConcurrentHashMap<>();

    TrustingClients(Supplier<HttpClient.Builder> settings) {
        this.settings = settings;
        this.usual = settings.get().build();
    }

    /**
     * @param caPem certificates, or null for the JVM's own
     * @throws IllegalArgumentException these are no certificates
     */
    HttpClient of(@Nullable String caPem) {
        return caPem == null
                ? usual
                : byCa.computeIfAbsent(
                        caPem, pem -> settings.get().sslContext(trusting(pem)).build());
    }

    private static SSLContext trusting(String caPem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var pem = new ByteArrayInputStream(caPem.getBytes(StandardCharsets.US_ASCII));
            for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + store.size(), ca);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the CA certificates of an executor cannot be used: " + e.getMessage(), e);
        }
    }
}
