package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * A datacenter repairs node by node. A repair whose plan is over goes on until its executor has the target without it:
 * only a report on the newest target proves that a node does not repair.
 */
public final class RepairCheck {
    private RepairCheck() {}

    /** Why the node must not start a repair now: another one of its datacenter repairs, or may still do so. */
    public static Optional<String> blocked(View view, NodeId node) {
        return view.nodesOf(node.cluster()).stream()
                .filter(n -> !n.id().equals(node))
                .flatMap(n -> repairing(view, n).stream())
                .findFirst();
    }

    private static Optional<String> repairing(View view, NodeRecord node) {
        boolean wanted = node.task() != null && node.task().kind() == NodeTask.Kind.REPAIR;
        Optional<NodeStatus> status = view.status(node.id());
        boolean running = status.map(NodeStatus::task)
                .filter(t -> t.kind() == NodeTask.Kind.REPAIR && !t.state().isOver())
                .isPresent();
        if (wanted || running) {
            return Optional.of(node.id().shortName() + " repairs first");
        }
        return node.launched() && node.joined() && !hasEnded(view, node, status)
                ? AvailabilityCheck.unsettled(view, node).map(why -> why + "; it may still repair")
                : Optional.empty();
    }

    /** The repair of a silent node ends when the others see it down: a dead node must not hold up their repairs. */
    private static boolean hasEnded(View view, NodeRecord node, Optional<NodeStatus> status) {
        return status.filter(s -> !StaleDecisionCheck.SILENT.contains(s.mode()))
                .map(s -> s.generation() >= node.generation())
                .orElseGet(() -> LostNode.isSeenDown(view, node)
                        && LostNode.whyUp(view, node).isEmpty());
    }
}
