package io.ringmaster.model.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of an allocation, as the pool reports it.
 *
 * @param since when it entered this state
 * @param detail the reason, for people, such as the exit code of an executor or the binaries being fetched
 * @param warning a limit that could not be enforced, or null
 */
public record AllocationState(
        Allocation allocation, Status status, Instant since, @Nullable String detail, @Nullable String warning) {

    public enum Status {
        /** Reserved; the volume exists; nothing runs. */
        RESERVED,
        /** Binaries are being fetched and the executor is starting. */
        LAUNCHING,
        /** The executor runs. */
        RUNNING,
        /** The executor exited without a command; the daemon may still run. */
        EXITED,
        /** The pool could not carry out a command; {@code detail} says why. */
        FAILED,
        /** Released, volume kept. */
        RELEASED
    }
}
