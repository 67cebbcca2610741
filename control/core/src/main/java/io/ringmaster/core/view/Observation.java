package io.ringmaster.core.view;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last that was heard of something.
 *
 * @param last what it said last, or null if it never spoke to this leader
 * @param at when it spoke last, or when the silence began if it never spoke
 * @param silence why it is silent now, or null while it answers
 */
public record Observation<T>(@Nullable T last, Instant at, @Nullable String silence) {
    /** What it said last, if it is not silent now. */
    public Optional<T> current() {
        return silence == null ? Optional.ofNullable(last) : Optional.empty();
    }
}
