package io.ringmaster.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/** Key pairs on P-256, the one curve that Ringmaster makes keys on. */
public final class EcKeys {
    private static final String CURVE = "secp256r1";
    private static final byte[] CHALLENGE = "does this key fit".getBytes(StandardCharsets.US_ASCII);

    private EcKeys() {}

    /** A new key pair. */
    public static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE));
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException | InvalidAlgorithmParameterException e) {
            throw new IllegalStateException("every JDK 17 has P-256", e);
        }
    }

    /** Whether both keys are the halves of one pair, shown by a signature; also for RSA. */
    static boolean fit(PrivateKey key, PublicKey publicKey) {
        if (!key.getAlgorithm().equals(publicKey.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(key);
            signature.update(CHALLENGE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(CHALLENGE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
