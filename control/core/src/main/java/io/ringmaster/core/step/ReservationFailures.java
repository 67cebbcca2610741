package io.ringmaster.core.step;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Handles an allocation that the pool cannot reserve or launch. */
final class ReservationFailures {
    private static final int TRIES = 3;
    private static final String FAILURES = "failures";
    private static final String FAILED_AT = "failed_at";

    private ReservationFailures() {}

    /**
     * Counts a failure once, and fails the step after {@link #TRIES} failures; empty when this failure is already
     * counted.
     */
    static Optional<Verdict> failed(AllocationState state, Map<String, String> memory) {
        if (state.since().toString().equals(memory.get(FAILED_AT))) {
            return Optional.empty();
        }
        int failures = Integer.parseInt(memory.getOrDefault(FAILURES, "0")) + 1;
        String machine = state.allocation().machine().value();
        if (failures >= TRIES) {
            return Optional.of(new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            ErrorCode.POOL_UNAVAILABLE,
                            machine + " failed " + failures + " times: " + state.detail(),
                            "repair the machine, then retry the plan")));
        }
        Map<String, String> remembered = new TreeMap<>(memory);
        remembered.put(FAILURES, Integer.toString(failures));
        remembered.put(FAILED_AT, state.since().toString());
        return Optional.of(
                new Verdict.Do(List.of(), List.of(), machine + ": " + state.detail() + "; retries", remembered));
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
