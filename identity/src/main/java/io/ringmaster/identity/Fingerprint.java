package io.ringmaster.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a public key (SubjectPublicKeyInfo). A certificate that is issued again for the same key keeps it.
 *
 * @param hex 64 digits in lower case
 */
public record Fingerprint(String hex) {
    private static final String ALGORITHM = "sha256:";
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    public Fingerprint {
        if (!HEX.matcher(hex).matches()) {
            throw new IllegalArgumentException("a fingerprint is sha256: and 64 hexadecimal digits, not '" + hex + "'");
        }
    }

    /** The fingerprint of a certificate's public key. */
    public static Fingerprint of(X509Certificate certificate) {
        return of(certificate.getPublicKey());
    }

    public static Fingerprint of(PublicKey key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return new Fingerprint(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Reads {@code sha256:4f1a...}; upper case and colons between the bytes, as openssl prints them, are fine.
     *
     * @throws IllegalArgumentException the text is no fingerprint
     */
    public static Fingerprint parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (!lower.startsWith(ALGORITHM)) {
            throw new IllegalArgumentException("a fingerprint starts with sha256:, unlike '" + text + "'");
        }
        return new Fingerprint(lower.substring(ALGORITHM.length()).replace(":", ""));
    }

    /** {@code sha256:} and the digits. */
    @Override
    public String toString() {
        return ALGORITHM + hex;
    }
}
