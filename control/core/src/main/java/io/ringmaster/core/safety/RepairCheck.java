package io.ringmaster.core.safety;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * A datacenter repairs node by node. A repair whose plan is over goes on until its executor has a target without it:
 * only a report on that target, or on a newer one, proves that a node does not repair.
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
        if (wanted || view.status(node.id()).filter(RepairCheck::repairs).isPresent()) {
            return Optional.of(node.id().shortName() + " repairs first");
        }
        return node.launched() && node.joined() && !hasEnded(view, node)
                ? AvailabilityCheck.unsettled(view, node).map(why -> why + "; it may still repair")
                : Optional.empty();
    }

    /** Also a repair that the target does not name any more: the executor reports it until it has ended. */
    private static boolean repairs(NodeStatus status) {
        TaskStatus task = status.task();
        return task != null
                && task.kind() == NodeTask.Kind.REPAIR
                && !task.state().isOver();
    }

    /**
     * Whether the executor reported a target after its last repair without a running one, even if it is silent now, or
     * the other nodes see the node down: a dead node must not hold up their repairs.
     */
    private static boolean hasEnded(View view, NodeRecord node) {
        long ended = node.repairFreeGeneration() == null ? node.generation() : node.repairFreeGeneration();
        Observation<NodeStatus> seen = view.statuses().get(node.id());
        boolean reported = Optional.ofNullable(seen)
                .map(Observation::last)
                .filter(s -> s.generation() >= ended && !repairs(s) && !StaleDecisionCheck.SILENT.contains(s.mode()))
                .isPresent();
        return ended == 0
                || reported
                || (LostNode.isSeenDown(view, node)
                        && LostNode.whyUp(view, node).isEmpty());
    }
}
