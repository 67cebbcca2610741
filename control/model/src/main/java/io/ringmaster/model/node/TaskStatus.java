package io.ringmaster.model.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a task.
 *
 * @param done of {@code total}, in {@code unit}; a total of 0 means unknown
 * @param unit {@code bytes}, {@code ranges}, {@code tables}
 * @param message what the task does now, what it achieved, or why it failed. That of a running transfer changes seldom
 *     and counts nothing: its plan is stored at each change
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
    public TaskStatus {
        // an older companion reports an assertion without a text
        message = state.isOver() && (message == null || message.isBlank()) ? "the node does not say more" : message;
    }

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
