package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.TlsStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A certificate of the node that was judged before use, with its key and the authorities that the node trusts.
 *
 * @param authority that signed the certificate
 * @param since when the node received it
 */
record HeldIdentity(
        KeyAndChain identity,
        X509Certificate authority,
        SubjectNames names,
        List<X509Certificate> trust,
        Instant since) {
    /**
     * Reads the files.
     *
     * @return empty if there are none
     * @throws IOException they cannot be read, or the certificate has ended
     * @throws CertificateException they do not fit the node
     */
    static Optional<HeldIdentity> read(NodeFiles files, ClusterName cluster, Instant now)
            throws IOException, CertificateException {
        if (!Files.exists(files.certificate()) || !Files.exists(files.internodeTrust())) {
            return Optional.empty();
        }
        return Optional.of(judged(
                Pem.keyAndChain(files.certificate(), now),
                Pem.certificates(files.internodeTrust()),
                cluster,
                Files.getLastModifiedTime(files.certificate()).toInstant()));
    }

    /**
     * A certificate that a server sends.
     *
     * @param key that it must belong to
     * @throws CertificateException it cannot be used; the message says why
     * @throws PemException as well
     */
    static HeldIdentity of(IdentityUpdate update, PrivateKey key, ClusterName cluster, Instant now)
            throws PemException, CertificateException {
        return judged(
                Pem.keyAndChain(Pem.text(key) + text(update.chain()), "the new certificate", now),
                Pem.certificates(text(update.trust()), "the certificates of authorities"),
                cluster,
                now);
    }

    private static String text(List<CertificatePem> certificates) {
        return certificates.stream().map(CertificatePem::text).collect(Collectors.joining("\n"));
    }

    private static HeldIdentity judged(
            KeyAndChain identity, List<X509Certificate> trust, ClusterName cluster, Instant since)
            throws CertificateException {
        new LiveTrust(trust)
                .checkClientTrusted(
                        identity.chain().toArray(X509Certificate[]::new),
                        identity.key().getAlgorithm());
        SubjectNames names = SubjectNames.of(identity.leaf());
        SpiffeName wanted = SpiffeName.cluster(cluster.value());
        if (names.spiffe().filter(wanted::equals).isEmpty()) {
            throw new CertificateException("it is for " + names.uris() + " and not for " + wanted);
        }
        return new HeldIdentity(identity, signer(identity, trust), names, trust, since);
    }

    private static X509Certificate signer(KeyAndChain identity, List<X509Certificate> trust)
            throws CertificateException {
        X509Certificate last = identity.chain().get(identity.chain().size() - 1);
        return trust.stream()
                .filter(authority -> isSignedBy(last, authority))
                .findFirst()
                .orElseThrow(() -> new CertificateException("it is signed by none of the trusted authorities"));
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The trust first, so that no certificate is served whose authority is not trusted here. */
    void write(NodeFiles files) throws IOException {
        DurableFiles.makeDirectories(files.identity());
        DurableFiles.write(files.internodeTrust(), trust.stream().map(Pem::text).collect(Collectors.joining()));
        DurableFiles.write(files.certificate(), Pem.text(identity));
    }

    String serial() {
        return identity.leaf().getSerialNumber().toString(16);
    }

    Instant end() {
        return identity.leaf().getNotAfter().toInstant();
    }

    /** Whether peers that connect to this address, or are connected to from it, accept the certificate. */
    boolean isFor(InetAddress address) {
        return names.addresses().contains(address);
    }

    TlsStatus.Leaf reported() {
        return new TlsStatus.Leaf(
                serial(),
                digest(authority),
                names.addresses().stream()
                        .map(InetAddress::getHostAddress)
                        .sorted()
                        .toList(),
                since,
                end());
    }

    List<String> reportedTrust() {
        return trust.stream().map(HeldIdentity::digest).sorted().toList();
    }

    /** Of the text as the servers have it. */
    private static String digest(X509Certificate certificate) {
        return new CertificatePem(Pem.text(certificate)).digest();
    }
}
