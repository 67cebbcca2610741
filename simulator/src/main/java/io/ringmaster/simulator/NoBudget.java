package io.ringmaster.simulator;

import io.ringmaster.core.step.Budget;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.RestartNode;
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
        if (step instanceof DeployNode deploy) {
            return new DeployNode(deploy.node(), deploy.specVersion(), NONE);
        }
        if (step instanceof EvacuateNode evacuate) {
            return new EvacuateNode(evacuate.node(), evacuate.machine(), evacuate.allowSilentPeers(), NONE);
        }
        if (step instanceof LeaveRing leave) {
            return new LeaveRing(leave.node(), leave.specVersion(), NONE);
        }
        return step instanceof RestartNode restart
                ? new RestartNode(
                        restart.node(), restart.together(), restart.allowSilentPeers(), restart.consistency(), NONE)
                : step;
    }

    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        return Optional.empty();
    }

    @Override
    public Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
        return Optional.empty();
    }

    @Override
    public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown) {
        return Optional.empty();
    }

    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        return Optional.empty();
    }
}
