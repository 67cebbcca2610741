package io.ringmaster.identity;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key and its certificates.
 *
 * @param chain the certificate of the key first, each signed by the next
 */
public record KeyAndChain(PrivateKey key, List<X509Certificate> chain) {
    public KeyAndChain {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a key without a certificate");
        }
    }

    /** The certificate of the key. */
    public X509Certificate leaf() {
        return chain.get(0);
    }

    /** Without the key, which must not reach a log. */
    @Override
    public String toString() {
        return "key of " + leaf().getSubjectX500Principal();
    }
}
