package io.ringmaster.simulator;

import io.ringmaster.core.step.Budget;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/** The controller's steps without the gate before the next node. */
final class NoBudget implements Budget {
    private static final NoBudget NONE = new NoBudget();

    private NoBudget() {}

    /** A step of the catalogue, deaf to the budget. */
    static Step step(StepState state) {
        Step step = Steps.of(state);
        return step instanceof DeployNode deploy ? new DeployNode(deploy.node(), deploy.specVersion(), NONE) : step;
    }

    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        return Optional.empty();
    }

    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        return Optional.empty();
    }
}
