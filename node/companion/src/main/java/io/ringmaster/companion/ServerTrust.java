package io.ringmaster.companion;

import io.ringmaster.companion.cassandra.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The authorities of the servers that a node asks for its seeds by https. */
final class ServerTrust {
    private ServerTrust() {}

    /**
     * @param file certificates in PEM
     * @throws IOException the file cannot be read, or holds no certificate
     */
    static SSLSocketFactory sockets(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                authorities.setCertificateEntry("authority " + authorities.size(), authority);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the authorities in " + file + ": " + FailureText.of(e), e);
        }
    }
}
