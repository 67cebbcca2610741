package io.ringmaster.simulator.mutation;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import java.util.Map;

/**
 * A step of the controller with a planted bug.
 *
 * @param answer replaces the verdict of the step
 */
record MutatedStep(Step step, Answer answer) implements Step {
    interface Answer {
        Verdict next(View view, Budget budget, Map<String, String> memory);
    }

    @Override
    public String name() {
        return step.name();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        return answer.next(view, budget, memory);
    }

    @Override
    public boolean mayOvertake(View view) {
        return step.mayOvertake(view);
    }

    @Override
    public boolean isHeld(View view, Map<String, String> memory) {
        return step.isHeld(view, memory);
    }
}
