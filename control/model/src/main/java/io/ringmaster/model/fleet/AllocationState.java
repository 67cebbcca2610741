package io.ringmaster.model.fleet;

import io.ringmaster.model.error.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An allocation as its pool reports it.
 *
 * @param since the start of this state
 * @param detail progress, for people; such as the download in progress or the exit code of the executor
 * @param warning a limit that is not in force, or null
 * @param problem the cause of {@link Status#FAILED}, and the next step if the pool knows one; else null
 */
public record AllocationState(
        Allocation allocation,
        Status status,
        Instant since,
        @Nullable String detail,
        @Nullable String warning,
        @Nullable Problem problem) {

    public AllocationState(
            Allocation allocation, Status status, Instant since, @Nullable String detail, @Nullable String warning) {
        this(allocation, status, since, detail, warning, null);
    }

    public static AllocationState failed(Allocation allocation, Instant since, Problem problem) {
        return new AllocationState(allocation, Status.FAILED, since, null, null, problem);
    }

    /** Why it is in this state, for people; null if there is nothing to add to the status. */
    public @Nullable String reason() {
        return problem == null ? detail : problem.message();
    }

    public enum Status {
        /** The resources are reserved and the volume exists; nothing runs. */
        RESERVED,
        /** The binaries are being fetched or the executor is being started. */
        LAUNCHING,
        /** The executor runs. */
        RUNNING,
        /** The executor ended unasked; the daemon may still run. */
        EXITED,
        /** The pool could not carry out the last command; {@code problem} is the cause. */
        FAILED,
        /** Released: the volume is kept and still takes its disk space; CPU, memory and ports are free. */
        RELEASED
    }
}
