package io.ringmaster.core.step;

import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Handles an allocation that the pool cannot reserve or launch. */
final class ReservationFailures {
    private static final int TRIES = 3;
    private static final String FAILURES = "failures";
    private static final String FAILED_AT = "failed_at";
    /** How often a pool is asked again to reserve on a disk that was full. */
    private static final Duration ROOM_PAUSE = Duration.ofSeconds(10);

    private ReservationFailures() {}

    /**
     * Counts a failure once. The step fails at the third, or at the second for a cause that a retry cannot fix: the
     * first may be left from an earlier try of the plan, before the user fixed the cause. A full disk is not counted:
     * the step waits for room.
     *
     * @return empty if this failure was counted before, or if it is time to look for room again
     */
    static Optional<Verdict> failed(Instant now, AllocationState state, Map<String, String> memory) {
        String machine = state.allocation().machine().value();
        Problem problem = state.problem();
        if (problem != null && problem.code() == ErrorCode.DISK_FULL) {
            boolean due = !now.isBefore(state.since().plus(ROOM_PAUSE));
            return due ? Optional.empty() : Optional.of(new Verdict.Wait(machine + ": " + problem.message()));
        }
        if (state.since().toString().equals(memory.get(FAILED_AT))) {
            return Optional.empty();
        }
        if (problem != null && PermanentFailure.isPermanent(problem) && memory.containsKey(FAILED_AT)) {
            return failed(problem, machine + ": " + problem.message());
        }
        int failures = Integer.parseInt(memory.getOrDefault(FAILURES, "0")) + 1;
        if (failures >= TRIES) {
            return failed(problem, machine + " failed " + failures + " times: " + state.reason());
        }
        Map<String, String> remembered = new TreeMap<>(memory);
        remembered.put(FAILURES, Integer.toString(failures));
        remembered.put(FAILED_AT, state.since().toString());
        return Optional.of(
                new Verdict.Do(List.of(), List.of(), machine + ": " + state.reason() + "; retries", remembered));
    }

    private static Optional<Verdict> failed(@Nullable Problem cause, String message) {
        ErrorCode code = cause == null ? ErrorCode.POOL_UNAVAILABLE : cause.code();
        Advice retry = Advice.of("fix the cause, then retry the plan");
        Advice advice = cause == null || cause.nextStep() == null
                ? retry
                : cause.nextStep().and("; ", retry);
        return Optional.of(new Verdict.Failed(List.of(), Problem.of(code, message, advice)));
    }

    static Problem lost(NodeRecord record) {
        return Problem.of(
                ErrorCode.MACHINE_LOST,
                "the volume of " + record.id() + " on " + record.allocation().machine() + " is gone",
                Advice.replaceNode(record.id())
                        .prefix("bring the machine back, or ")
                        .suffix("; an empty volume is never put in its place automatically"));
    }
}
