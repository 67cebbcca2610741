package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.IdentityUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The certificate of the node to other nodes, which was judged before use, and the authorities that it trusts.
 *
 * @param trust the authorities of other nodes
 */
record HeldIdentity(HeldCertificate node, List<X509Certificate> trust) {
    /**
     * Reads the files.
     *
     * @return empty if there are none
     * @throws IOException they cannot be read, or a certificate has ended
     * @throws CertificateException they do not fit the node
     */
    static Optional<HeldIdentity> read(NodeFiles files, ClusterName cluster, Instant now)
            throws IOException, CertificateException {
        if (!Files.exists(files.certificate()) || !Files.exists(files.internodeTrust())) {
            return Optional.empty();
        }
        List<X509Certificate> trust = Pem.certificates(files.internodeTrust());
        Instant since = Files.getLastModifiedTime(files.certificate()).toInstant();
        return Optional.of(
                new HeldIdentity(toNodes(Pem.keyAndChain(files.certificate(), now), trust, cluster, since), trust));
    }

    /**
     * The certificate that a server sends.
     *
     * @param key that it must belong to
     * @throws CertificateException it cannot be used; the message says why
     * @throws PemException as well
     */
    static HeldIdentity of(IdentityUpdate update, PrivateKey key, ClusterName cluster, Instant now)
            throws PemException, CertificateException {
        List<X509Certificate> trust =
                Pem.certificates(HeldCertificate.text(update.trust()), "the certificates of authorities");
        return new HeldIdentity(
                toNodes(HeldCertificate.sent(update.chain(), key, "the new certificate", now), trust, cluster, now),
                trust);
    }

    private static HeldCertificate toNodes(
            KeyAndChain identity, List<X509Certificate> trust, ClusterName cluster, Instant since)
            throws CertificateException {
        new LiveTrust(trust)
                .checkClientTrusted(
                        identity.chain().toArray(X509Certificate[]::new),
                        identity.key().getAlgorithm());
        HeldCertificate held = HeldCertificate.of(identity, trust, since);
        SpiffeName wanted = SpiffeName.cluster(cluster.value());
        if (held.names().spiffe().filter(wanted::equals).isEmpty()) {
            throw new CertificateException("it is for " + held.names().uris() + " and not for " + wanted);
        }
        return held;
    }

    /** The trust first, so that no certificate is served whose authority is not trusted here. */
    void write(NodeFiles files) throws IOException {
        DurableFiles.makeDirectories(files.identity());
        DurableFiles.write(files.internodeTrust(), trust.stream().map(Pem::text).collect(Collectors.joining()));
        DurableFiles.write(files.certificate(), Pem.text(node.identity()));
    }

    List<String> reportedTrust() {
        return trust.stream().map(HeldCertificate::digest).sorted().toList();
    }
}
