package io.ringmaster.model.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a task is.
 *
 * @param done of {@code total}, in {@code unit}; a total of 0 is not known
 * @param unit {@code bytes}, {@code ranges}, {@code tables}
 * @param message what it does now, what came of it, or why it failed
 */
public record TaskStatus(
        String id,
        NodeTask.Kind kind,
        State state,
        long done,
        long total,
        String unit,
        String message,
        Instant startedAt,
        @Nullable Instant endedAt) {
    public enum State {
        RUNNING,
        DONE,
        FAILED,
        ABORTED;

        public boolean isOver() {
            return this != RUNNING;
        }
    }
}
