package io.ringmaster.model.authority;

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
}
