package io.ringmaster.core.safety;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/** Whether a node is lost with its machine, as far as can be known. */
public final class LostNode {
    private LostNode() {}

    /**
     * Whether the pool does not report the machine, the executor is silent, some node of the cluster sees the node
     * down and none sees it alive.
     */
    public static boolean of(View view, NodeRecord node) {
        return node.joined()
                && node.launched()
                && node.run()
                && !node.leaving()
                && view.poolSeen()
                && !view.machines().containsKey(node.allocation().machine())
                && view.status(node.id()).isEmpty()
                && whyUp(view, node).isEmpty()
                && isSeenDown(view, node);
    }

    /** Whether machine or executor are back. While the pool is not known, nothing is concluded. */
    public static boolean isOver(View view, NodeRecord node) {
        return view.status(node.id()).isPresent()
                || (view.poolSeen()
                        && view.machines().containsKey(node.allocation().machine()));
    }

    /** Why the node must not be replaced now, although it is lost. */
    public static Optional<String> whyNotReplaced(View view, NodeRecord node) {
        return AvailabilityCheck.ONE_AT_A_TIME.beforeReplacing(view, node, false);
    }

    /** Why the node counts as up: by its own report, or because another node sees it alive. */
    public static Optional<String> whyUp(View view, NodeRecord record) {
        if (AvailabilityCheck.isUp(view, record)) {
            return view.status(record.id()).map(s -> record.id().shortName() + " is up: it is " + s.mode());
        }
        String endpoint = record.joined() ? Seeds.endpoint(record.allocation()) : String.valueOf(record.replaces());
        return view.nodesOf(record.id().cluster()).stream()
                .filter(n -> view.status(n.id())
                        .map(NodeStatus::ring)
                        .filter(r ->
                                r.peers().stream().anyMatch(p -> p.endpoint().equals(endpoint) && p.alive()))
                        .isPresent())
                .findFirst()
                .map(n -> n.id().shortName() + " still sees " + record.id().shortName() + " alive");
    }

    private static boolean isSeenDown(View view, NodeRecord node) {
        String endpoint = Seeds.endpoint(node.allocation());
        return view.nodesOf(node.id().cluster()).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(r -> r.peers().stream())
                .anyMatch(p -> p.endpoint().equals(endpoint) && !p.alive());
    }
}
