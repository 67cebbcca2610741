package io.ringmaster.model.fleet;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An allocation as its pool reports it.
 *
 * @param since the start of this state
 * @param revision orders the reports about one allocation, whatever the clock says; a later report has a higher one
 * @param address the IP address of its processes, once the pool knows it; the last one while nothing runs
 * @param resources in force on its machine. They differ from the decided ones until the pool has changed them, and a
 *     released allocation holds only disk
 * @param detail progress, for people; such as the download in progress or the exit code of the executor
 * @param warning a limit that is not in force, or null
 * @param problem the cause of {@link Status#FAILED}, {@link Status#PENDING} or {@link Status#UNREACHABLE}, and the next
 *     step if the pool knows one; else null
 */
@RecordBuilder
public record AllocationState(
        Allocation allocation,
        Status status,
        Instant since,
        long revision,
        @Nullable String address,
        NodeResources resources,
        @Nullable String detail,
        @Nullable String warning,
        @Nullable Problem problem) {

    /** A state without details, in which the allocation holds what was decided. */
    public static AllocationState of(Allocation allocation, Status status, Instant since, long revision) {
        return new AllocationState(
                allocation, status, since, revision, null, held(allocation, status), null, null, null);
    }

    public static AllocationState failed(Allocation allocation, Instant since, long revision, Problem problem) {
        return of(allocation, Status.FAILED, since, revision).withProblem(problem);
    }

    public AllocationId id() {
        return allocation.id();
    }

    public AllocationState at(@Nullable String newAddress) {
        return edit().address(newAddress).build();
    }

    public AllocationState withDetail(@Nullable String newDetail) {
        return edit().detail(newDetail).build();
    }

    public AllocationState withWarning(@Nullable String newWarning) {
        return edit().warning(newWarning).build();
    }

    public AllocationState withProblem(@Nullable Problem newProblem) {
        return edit().problem(newProblem).build();
    }

    public AllocationState withRevision(long newRevision) {
        return edit().revision(newRevision).build();
    }

    public AllocationState withResources(NodeResources inForce) {
        return edit().resources(inForce).build();
    }

    /** Why it is in this state, for people; null if there is nothing to add to the status. */
    public @Nullable String reason() {
        return problem == null ? detail : problem.message();
    }

    private AllocationStateBuilder edit() {
        return AllocationStateBuilder.builder(this);
    }

    private static NodeResources held(Allocation allocation, Status status) {
        NodeResources decided = allocation.resources();
        return status == Status.RELEASED ? new NodeResources(0, 0, 0, decided.diskBytes()) : decided;
    }

    public enum Status {
        /**
         * The pool waits for what the allocation needs, such as an offer, a volume or an image; {@code problem} says
         * for what. Nothing runs.
         */
        PENDING,
        /** The resources are reserved and the volume exists; nothing runs. */
        RESERVED,
        /** The binaries are being fetched or the executor is being started. */
        LAUNCHING,
        /** The executor runs. */
        RUNNING,
        /** The pool has lost contact with the machine; executor and daemon may still run. */
        UNREACHABLE,
        /** The executor ended unasked; the daemon may still run where it outlives its executor. */
        EXITED,
        /** The pool could not carry out the last command; {@code problem} is the cause. */
        FAILED,
        /** Released: the volume is kept and still takes its disk space; CPU, memory and ports are free. */
        RELEASED
    }
}
