package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.model.authority.CertificatePem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The certificate of the node to CQL clients. Its chain ends with its authority, which the node does not trust. */
final class CqlCertificates {
    /** The name that the JDK gives to the key exchange of a server whose key is on a curve. */
    private static final String SERVER_KEY = "ECDHE_ECDSA";

    private CqlCertificates() {}

    /**
     * Reads the file.
     *
     * @return empty if there is none
     * @throws IOException it cannot be read, or the certificate has ended
     * @throws CertificateException clients would refuse it
     */
    static Optional<HeldCertificate> read(NodeFiles files, Instant now) throws IOException, CertificateException {
        Path file = files.cqlCertificate();
        return Files.exists(file)
                ? Optional.of(judged(
                        Pem.keyAndChain(file, now),
                        Files.getLastModifiedTime(file).toInstant()))
                : Optional.empty();
    }

    /**
     * The certificate that a server sends.
     *
     * @param key that it must belong to
     * @throws CertificateException clients would refuse it; the message says why
     * @throws PemException as well
     */
    static HeldCertificate of(List<CertificatePem> chain, PrivateKey key, Instant now)
            throws PemException, CertificateException {
        return judged(HeldCertificate.sent(chain, key, "the new certificate for CQL", now), now);
    }

    private static HeldCertificate judged(KeyAndChain identity, Instant since) throws CertificateException {
        List<X509Certificate> authority =
                List.of(identity.chain().get(identity.chain().size() - 1));
        new LiveTrust(authority).checkServerTrusted(identity.chain().toArray(X509Certificate[]::new), SERVER_KEY);
        return HeldCertificate.of(identity, authority, since);
    }

    static void write(HeldCertificate certificate, NodeFiles files) throws IOException {
        DurableFiles.makeDirectories(files.identity());
        DurableFiles.write(files.cqlCertificate(), Pem.text(certificate.identity()));
    }
}
