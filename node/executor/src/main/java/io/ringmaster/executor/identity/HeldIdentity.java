package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.IdentityUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of the node, which were judged before use, and the authorities that it trusts.
 *
 * @param node to other nodes
 * @param trust the authorities of other nodes
 * @param cql to CQL clients, or null; its chain ends with its authority
 */
record HeldIdentity(HeldCertificate node, List<X509Certificate> trust, @Nullable HeldCertificate cql) {
    /** The name that the JDK gives to the key exchange of a server whose key is on a curve. */
    private static final String SERVER_KEY = "ECDHE_ECDSA";

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
        Path cql = files.cqlCertificate();
        return Optional.of(new HeldIdentity(
                toNodes(Pem.keyAndChain(files.certificate(), now), trust, cluster, written(files.certificate())),
                trust,
                Files.exists(cql) ? toClients(Pem.keyAndChain(cql, now), written(cql)) : null));
    }

    private static Instant written(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toInstant();
    }

    /**
     * Certificates that a server sends.
     *
     * @param key that they must belong to
     * @throws CertificateException they cannot be used; the message says why
     * @throws PemException as well
     */
    static HeldIdentity of(IdentityUpdate update, PrivateKey key, ClusterName cluster, Instant now)
            throws PemException, CertificateException {
        List<X509Certificate> trust = Pem.certificates(text(update.trust()), "the certificates of authorities");
        return new HeldIdentity(
                toNodes(
                        Pem.keyAndChain(Pem.text(key) + text(update.chain()), "the new certificate", now),
                        trust,
                        cluster,
                        now),
                trust,
                update.cql().isEmpty()
                        ? null
                        : toClients(
                                Pem.keyAndChain(Pem.text(key) + text(update.cql()), "the new certificate for CQL", now),
                                now));
    }

    private static String text(List<CertificatePem> certificates) {
        return certificates.stream().map(CertificatePem::text).collect(Collectors.joining("\n"));
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

    private static HeldCertificate toClients(KeyAndChain identity, Instant since) throws CertificateException {
        List<X509Certificate> authority =
                List.of(identity.chain().get(identity.chain().size() - 1));
        new LiveTrust(authority).checkServerTrusted(identity.chain().toArray(X509Certificate[]::new), SERVER_KEY);
        return HeldCertificate.of(identity, authority, since);
    }

    /** The trust first, so that no certificate is served whose authority is not trusted here. */
    void write(NodeFiles files) throws IOException {
        DurableFiles.makeDirectories(files.identity());
        DurableFiles.write(files.internodeTrust(), trust.stream().map(Pem::text).collect(Collectors.joining()));
        if (cql != null) {
            DurableFiles.write(files.cqlCertificate(), Pem.text(cql.identity()));
        }
        DurableFiles.write(files.certificate(), Pem.text(node.identity()));
    }

    List<String> reportedTrust() {
        return trust.stream().map(HeldCertificate::digest).sorted().toList();
    }
}
