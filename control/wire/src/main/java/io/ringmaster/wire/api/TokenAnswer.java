package io.ringmaster.wire.api;

import org.jspecify.annotations.Nullable;

/**
 * The API token that was created.
 *
 * @param token the token itself, which no other answer contains; null in a dry run
 */
public record TokenAnswer(TokenInfo info, boolean dryRun, @Nullable String token) {
    /** Without the token, because logs and error messages print objects. */
    @Override
    public String toString() {
        return "TokenAnswer[info=" + info + ", dryRun=" + dryRun + "]";
    }
}
