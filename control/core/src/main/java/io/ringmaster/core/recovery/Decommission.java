package io.ringmaster.core.recovery;

import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;

/** How far the decommission of a node is: by its own report or, when it cannot report, by what the other nodes see. */
final class Decommission {
    private Decommission() {}

    /**
     * The record of a leaving node as it follows from the reports: stopped once the node has left, a member again
     * when Cassandra refused.
     */
    static NodeRecord of(View view, NodeRecord leaving) {
        if (hasLeft(view, leaving)) {
            return leaving.takenAway();
        }
        return isRefused(view, leaving) ? leaving.stay() : leaving;
    }

    private static boolean hasLeft(View view, NodeRecord node) {
        Optional<NodeStatus> status = view.status(node.id());
        return status.filter(s -> s.mode() == OperatingMode.DECOMMISSIONED).isPresent()
                || status.flatMap(s -> task(s, node))
                        .filter(t -> t.state() == TaskStatus.State.DONE)
                        .isPresent()
                || isSeenGone(view, node);
    }

    /**
     * Whether the other nodes see that the node has left. Its daemon may have died right after that; it does not
     * start again then, and cannot report.
     */
    private static boolean isSeenGone(View view, NodeRecord node) {
        RingMember member = RingMember.of(view, node);
        List<RingView.PeerSeen> seen = view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(r -> member.tracesIn(r).stream())
                .toList();
        return !seen.isEmpty() && seen.stream().allMatch(RingView.PeerSeen::isGone);
    }

    /** Whether Cassandra refused to let the node go, and the node serves as before. */
    private static boolean isRefused(View view, NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> task(s, node))
                .filter(t -> t.state().isOver() && t.state() != TaskStatus.State.DONE)
                .isPresent();
    }

    private static Optional<TaskStatus> task(NodeStatus status, NodeRecord node) {
        return Optional.ofNullable(status.task())
                .filter(t -> node.task() != null && t.id().equals(node.task().id()));
    }
}
