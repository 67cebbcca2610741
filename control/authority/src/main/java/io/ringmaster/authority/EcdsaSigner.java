package io.ringmaster.authority;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.ContentSigner;

/** Signs by the JDK. BouncyCastle's own signer loads tables of every algorithm that it knows. */
final class EcdsaSigner implements ContentSigner {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final PrivateKey key;

    EcdsaSigner(PrivateKey key) {
        this.key = key;
    }

    @Override
    public AlgorithmIdentifier getAlgorithmIdentifier() {
        return new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    }

    @Override
    public OutputStream getOutputStream() {
        return content;
    }

    @Override
    public byte[] getSignature() {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(content.toByteArray());
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of an authority cannot sign", e);
        }
    }
}
