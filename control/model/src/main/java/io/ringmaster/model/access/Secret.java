package io.ringmaster.model.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A text that is never printed, such as a token, and that JSON refuses to write. */
public final class Secret {
    private final String value;

    public Secret(String value) {
        this.value = value;
    }

    public String reveal() {
        return value;
    }

    /** In the same time for every difference. */
    public boolean is(String other) {
        return MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && is(secret.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
