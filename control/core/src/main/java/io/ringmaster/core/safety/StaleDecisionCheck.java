package io.ringmaster.core.safety;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a decision that is late may still be carried out. A server that dies between deciding and sending leaves it to the next
 * leader, and meanwhile another datacenter, to which it was silent, may have taken a node down.
 */
public final class StaleDecisionCheck {
    private StaleDecisionCheck() {}

    /**
     * Whether the node serves, its newest target would restart it or have it leave, and another node of its cluster is seen down now by
     * any, or is far behind, or it is another datacenter's turn.
     */
    public static boolean mustWait(View view, NodeRecord node) {
        ClusterName cluster = node.id().cluster();
        Optional<NodeStatus> status = view.status(node.id());
        boolean disrupts = status.filter(s -> s.mode() == OperatingMode.NORMAL)
                .filter(s -> s.appliedSpecVersion() != node.specVersion()
                        || s.appliedRestarts() < node.restarts()
                        || (node.leaving() && s.generation() < node.generation()))
                .isPresent();
        return disrupts
                && node.run()
                && Seeds.created(view, cluster)
                && (isOutOfTurn(view, node)
                        || isAnyDownHere(view, node)
                        || AvailabilityCheck.down(status.map(NodeStatus::ring), Set.of())
                                .isPresent()
                        || AvailabilityCheck.ringWhole(view, node, others(view, node))
                                .isPresent()
                        || isAnyDownElsewhere(view, node));
    }

    /**
     * Whether a serving node is to take another version before its datacenter's turn. That was decided when it was broken; since then it
     * came back by itself.
     */
    public static boolean isOutOfTurn(View view, NodeRecord node) {
        ClusterName cluster = node.id().cluster();
        boolean serves = view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL && s.appliedSpecVersion() != node.specVersion())
                .isPresent();
        List<DatacenterName> order = view.spec(cluster, node.specVersion())
                .map(s -> s.spec().datacenterNames())
                .orElse(List.of());
        return serves
                && Seeds.created(view, cluster)
                && order.stream()
                        .takeWhile(d -> !d.equals(view.datacenter()))
                        .anyMatch(d -> DatacenterOrder.whyNotSettled(view, cluster, node.specVersion(), d)
                                .isPresent());
    }

    private static List<NodeRecord> others(View view, NodeRecord node) {
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .toList();
    }

    /** One that a new leader has not heard yet may be down. */
    private static boolean isAnyDownHere(View view, NodeRecord node) {
        return others(view, node).stream()
                .filter(n -> n.launched() && n.run())
                .anyMatch(n -> !view.statuses().containsKey(n.id())
                        || view.status(n.id())
                                .filter(s -> s.mode() != OperatingMode.NORMAL)
                                .isPresent());
    }

    /** UNKNOWN is told of nodes that are about to change: of two such, that of the first datacenter begins. */
    private static boolean isAnyDownElsewhere(View view, NodeRecord node) {
        ClusterName cluster = node.id().cluster();
        List<DatacenterName> before = view.targetSpec(cluster)
                .map(s -> s.spec().datacenterNames().stream()
                        .takeWhile(d -> !d.equals(view.datacenter()))
                        .toList())
                .orElse(List.of());
        return view.peers().keySet().stream()
                .filter(peer -> view.silence(peer).isEmpty())
                .flatMap(peer -> view.lastPart(peer, cluster).stream())
                .flatMap(part -> part.nodes().stream())
                .filter(n -> n.joined() && n.mode() != OperatingMode.NORMAL)
                .anyMatch(n -> n.mode() != OperatingMode.UNKNOWN
                        || before.contains(n.node().datacenter()));
    }
}
