package io.ringmaster.wire.api;

import io.ringmaster.model.error.Advice;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a cluster.
 *
 * @param subject the affected object: {@code rides/dc1/node-0}, {@code plan dc1-7}, {@code datacenter dc2}
 * @param since when the problem started, or null where that is not known
 * @param nextStep what to do, or null when the problem is expected to clear automatically
 */
public record Finding(
        Severity severity, String subject, String message, @Nullable Instant since, @Nullable Advice nextStep) {

    /** The worst first. */
    public enum Severity {
        /** The user must act. */
        ERROR,
        /** The problem may clear automatically; check again later. */
        WARNING
    }
}
