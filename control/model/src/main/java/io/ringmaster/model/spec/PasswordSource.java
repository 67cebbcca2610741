package io.ringmaster.model.spec;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the server finds the password of a role, which no spec holds.
 *
 * @param name of the file or variable, or {@link SecretKeyRef#text}; null for a generated password
 */
public record PasswordSource(Kind kind, @Nullable String name) {
    /** The places of passwords. */
    public enum Kind {
        /** A file in the server's directory of secrets. */
        FILE,
        /** A variable of the server's environment. */
        ENV,
        /** A key of a Kubernetes Secret in the namespace of the server's pool. */
        SECRET,
        /** Made by the server. */
        GENERATED;

        /** As a spec has it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static final PasswordSource GENERATED = new PasswordSource(Kind.GENERATED, null);

    /** The key of a Secret that this names. */
    public SecretKeyRef secret() {
        return SecretKeyRef.of(String.valueOf(name));
    }

    /** {@code file:app}, {@code env:app}, {@code secret:app/password} or {@code generated}. */
    public String text() {
        return name == null ? kind.label() : kind.label() + ":" + name;
    }

    /** @throws IllegalArgumentException if {@link #text} does not write it so */
    public static PasswordSource of(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new PasswordSource(Kind.valueOf(text.toUpperCase(Locale.ROOT)), null)
                : new PasswordSource(
                        Kind.valueOf(text.substring(0, colon).toUpperCase(Locale.ROOT)), text.substring(colon + 1));
    }
}
