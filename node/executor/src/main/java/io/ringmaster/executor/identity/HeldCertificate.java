package io.ringmaster.executor.identity;

import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.node.TlsStatus;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A certificate of the node with its key.
 *
 * @param authority that signed the certificate
 * @param since when the node received it
 */
record HeldCertificate(KeyAndChain identity, X509Certificate authority, SubjectNames names, Instant since) {
    /** @throws CertificateException none of the authorities has signed it */
    static HeldCertificate of(KeyAndChain identity, List<X509Certificate> authorities, Instant since)
            throws CertificateException {
        X509Certificate last = identity.chain().get(identity.chain().size() - 1);
        X509Certificate signer = authorities.stream()
                .filter(authority -> isSignedBy(last, authority))
                .findFirst()
                .orElseThrow(() -> new CertificateException("it is signed by none of the trusted authorities"));
        return new HeldCertificate(identity, signer, SubjectNames.of(identity.leaf()), since);
    }

    /**
     * The certificates that a server sends, with the key that they must belong to.
     *
     * @throws PemException they do not, or have ended
     */
    static KeyAndChain sent(List<CertificatePem> chain, PrivateKey key, String what, Instant now) throws PemException {
        return Pem.keyAndChain(Pem.text(key) + text(chain), what, now);
    }

    static String text(List<CertificatePem> certificates) {
        return certificates.stream().map(CertificatePem::text).collect(Collectors.joining("\n"));
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    String serial() {
        return identity.leaf().getSerialNumber().toString(16);
    }

    Instant end() {
        return identity.leaf().getNotAfter().toInstant();
    }

    /** Whether those that connect to this address, or are connected to from it, accept the certificate. */
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

    /** Of the text as the servers have it. */
    static String digest(X509Certificate certificate) {
        return new CertificatePem(Pem.text(certificate)).digest();
    }
}
