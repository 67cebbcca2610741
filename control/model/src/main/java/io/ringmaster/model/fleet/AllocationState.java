package io.ringmaster.model.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the pool says of an allocation.
 *
 * @param since when it entered this state
 * @param detail why, for people; such as the exit code of a lost executor or what is being fetched
 * @param warning a limit that could not be put in force, or null
 */
public record AllocationState(
        Allocation allocation, Status status, Instant since, @Nullable String detail, @Nullable String warning) {

    public enum Status {
        /** Claimed; volume there; nothing runs. */
        RESERVED,
        /** Binaries are being brought and the executor is being started. */
        LAUNCHING,
        /** The executor runs. */
        RUNNING,
        /** The executor ended by itself; the daemon may still run. */
        EXITED,
        /** The pool could not do what was asked; {@code detail} says why. */
        FAILED,
        /** Released, volume kept. */
        RELEASED
    }
}
