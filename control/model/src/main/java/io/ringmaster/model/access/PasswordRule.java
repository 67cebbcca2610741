package io.ringmaster.model.access;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What the password of a role must be. */
public final class PasswordRule {
    /** bcrypt ignores the rest. */
    private static final int MOST_BYTES = 72;

    private PasswordRule() {}

    /** How the text breaks the rule, without the text, for a sentence about its place; empty if it does not. */
    public static Optional<String> violation(String password) {
        int bytes = password.getBytes(StandardCharsets.UTF_8).length;
        return bytes == 0 || bytes > MOST_BYTES || password.chars().anyMatch(Character::isISOControl)
                ? Optional.of("must hold a password of 1 to " + MOST_BYTES
                        + " bytes in one line, without control characters; it has " + bytes + " bytes")
                : Optional.empty();
    }
}
