package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import java.util.List;
import java.util.Map;

/**
 * One step of a plan: a record whose components are stored with the plan, so that {@link Steps} makes the same step
 * again after a restart.
 */
public interface Step {
    /** The name in the plan, unique there, such as {@code dc1 node-0}. */
    String name();

    /**
     * Decides what to do next. The engine asks at each change of the view, and again after a restart, until the
     * answer is {@code Done}, {@code Failed} or {@code GivenUp}; the same view gives the same answer.
     *
     * @param budget what the step asks before it takes a node down
     * @param memory what this step asked to remember before; empty at first
     */
    Verdict next(View view, Budget budget, Map<String, String> memory);

    /** Answers a user who declares the step done: {@code Done} with the changes that follow, or {@code Failed}. */
    default Verdict forced(View view) {
        return new Verdict.Done(List.of(), "declared done");
    }

    /**
     * Whether the step may start while steps before it still wait to start: true for a step that fixes something
     * broken that they may be waiting for. The engine never starts two steps of a serial phase at once, unless the
     * first {@link #isHeld}.
     */
    default boolean mayOvertake(View view) {
        return false;
    }

    /**
     * Whether the step, which has acted, waits for something that may be broken: a step that may overtake fixes it
     * meanwhile.
     */
    default boolean isHeld(View view, Map<String, String> memory) {
        return false;
    }
}
