package io.ringmaster.core.view;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last report of a node or datacenter.
 *
 * @param last the last report, or null if none reached this leader
 * @param at the time of the last report to this leader, or the start of the silence if there was none
 * @param silence why it does not answer now, or null while it answers
 */
public record Observation<T>(@Nullable T last, Instant at, @Nullable String silence) {
    /** The last report, if it answers now. */
    public Optional<T> current() {
        return silence == null ? Optional.ofNullable(last) : Optional.empty();
    }
}
