package io.ringmaster.wire.api;

import io.ringmaster.model.error.Advice;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it should be.
 *
 * @param subject what it is about: {@code rides/dc1/node-0}, {@code plan dc1-7}, {@code datacenter dc2}
 * @param since when it began, where that is known
 * @param nextStep what to do, or null when it mends itself
 */
public record Finding(
        Severity severity, String subject, String message, @Nullable Instant since, @Nullable Advice nextStep) {

    /** The worst first. */
    public enum Severity {
        /** Somebody must act. */
        ERROR,
        /** It may mend itself; look if it stays. */
        WARNING
    }
}
