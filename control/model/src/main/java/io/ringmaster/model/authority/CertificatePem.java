package io.ringmaster.model.authority;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One certificate as text.
 *
 * @param text PEM, from {@code BEGIN CERTIFICATE} to {@code END CERTIFICATE}
 */
public record CertificatePem(String text) {
    public CertificatePem {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a certificate without text");
        }
    }

    /** The SHA-256 of the text in hexadecimal digits, to name the certificate in reports. */
    public String digest() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
