package io.ringmaster.cli.screen;

import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import java.util.Optional;

/**
 * Facts about steps that screens depend on, from type, arguments and memory. The strings are those of the controller's
 * steps, which the API passes on unchanged.
 */
final class StepKind {
    private static final String DEPLOY_NODE = "deploy-node";
    private static final String NODE = "node";
    private static final String VOLUME = "volume";
    private static final String LIVE = "live";
    private static final String TRANSFER = "transfer";

    private StepKind() {}

    /** Id of the node that the step changes. */
    static Optional<String> node(StepState step) {
        return Optional.ofNullable(step.args().get(NODE));
    }

    /** Whether the step concerns one node or one node's volume, so that its line says more than its phase. */
    static boolean concernsOneNode(StepState step) {
        return step.args().containsKey(NODE) || step.args().containsKey(VOLUME);
    }

    /** The transfer that the step waits for, if its node runs it now. */
    static Optional<TaskStatus> transfer(StepState step, Optional<NodeState> node) {
        return node.map(NodeState::transfer)
                .filter(t -> t.id().equals(step.memory().get(TRANSFER)) && t.state() == TaskStatus.State.RUNNING);
    }

    /** Whether the step started its node: a change that Cassandra takes live starts nothing. */
    static boolean startsNode(StepState step) {
        return step.type().equals(DEPLOY_NODE)
                && !Boolean.parseBoolean(step.memory().get(LIVE));
    }
}
