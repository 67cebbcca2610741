package io.ringmaster.model.authority;

/**
 * A private key as text.
 *
 * @param text PEM, from {@code BEGIN PRIVATE KEY} to {@code END PRIVATE KEY}
 */
public record PrivateKeyPem(String text) {
    public PrivateKeyPem {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a private key without text");
        }
    }

    /** Without the key, which must not reach a log. */
    @Override
    public String toString() {
        return "***";
    }
}
