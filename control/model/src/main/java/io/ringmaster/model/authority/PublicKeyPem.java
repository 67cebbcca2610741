package io.ringmaster.model.authority;

/**
 * A public key as text.
 *
 * @param text PEM, from {@code BEGIN PUBLIC KEY} to {@code END PUBLIC KEY}
 */
public record PublicKeyPem(String text) {
    public PublicKeyPem {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a public key without text");
        }
    }
}
