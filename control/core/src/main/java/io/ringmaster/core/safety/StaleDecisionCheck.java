package io.ringmaster.core.safety;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a late decision may still be carried out. A server that dies between deciding and sending leaves the
 * decision to the next leader. Meanwhile another datacenter, which had no contact with it, may have taken a node
 * down.
 */
public final class StaleDecisionCheck {
    /** The daemon runs and may serve, but its companion does not answer: after a long pause, or to a new executor. */
    static final Set<OperatingMode> SILENT = Set.of(OperatingMode.UNKNOWN, OperatingMode.LAUNCHED);

    private StaleDecisionCheck() {}

    /**
     * Whether a target or a relaunch must not be sent now: it would take a NORMAL node down or make it leave, while
     * another node of the cluster is down or far behind, or another datacenter applies the version first.
     */
    public static boolean mustWait(View view, NodeRecord node) {
        return why(view, node, Set.of(OperatingMode.NORMAL)).isPresent();
    }

    /**
     * Why the node, which serves with its former target, does not receive its newest one yet: the node that is down or
     * the datacenter that comes first. The node is not about to go down then.
     */
    public static Optional<String> whyHeldBack(View view, NodeRecord node) {
        boolean taken = view.status(node.id())
                .filter(s -> s.generation() >= node.generation())
                .isPresent();
        return taken && !ClearTextCheck.restartsForClients(view, node)
                ? Optional.empty()
                : why(view, node, Set.of(OperatingMode.NORMAL));
    }

    /**
     * Whether a target or a relaunch must not be sent again now. That includes a node that starts with its former
     * target: it may be NORMAL when the new one arrives. One that cannot start exits, and receives it while it is DOWN.
     */
    public static boolean mustNotSend(View view, NodeRecord node) {
        return why(view, node, Set.of(OperatingMode.NORMAL, OperatingMode.STARTING))
                .isPresent();
    }

    /**
     * Whether the executor of a member must refuse the target while its daemon runs. A node that is DOWN may start
     * without help before the target arrives, and would be taken down again beside another node that is down; so may
     * one that starts and is broken. A node that never joined takes each target, since it must not join with an older
     * one.
     */
    public static boolean onlyWhileDown(View view, NodeRecord node) {
        Optional<OperatingMode> mode = view.status(node.id()).map(NodeStatus::mode);
        return node.joined()
                && mode.filter(m -> m == OperatingMode.DOWN || (m != OperatingMode.NORMAL && mustNotSend(view, node)))
                        .isPresent();
    }

    private static Optional<String> why(View view, NodeRecord node, Set<OperatingMode> serving) {
        ClusterName cluster = node.id().cluster();
        Optional<NodeStatus> status = view.status(node.id());
        boolean mayServe = status.filter(s -> SILENT.contains(s.mode())).isPresent() && !countsAsDown(view, node);
        boolean relaunches = Relaunching.isNeeded(view, node);
        // a relaunch ends what runs even where its executor is silent
        boolean disrupts = (status.isEmpty() && relaunches && mayRun(view, node))
                || status.filter(s -> mayServe || serving.contains(s.mode()))
                        .filter(s -> s.appliedSpecVersion() != node.specVersion()
                                || s.appliedRestarts() < node.restarts()
                                || (node.leaving() && s.generation() < node.generation())
                                || ClearTextCheck.restartsForClients(view, node)
                                || relaunches)
                        .isPresent();
        if (!disrupts || !node.run() || !Seeds.created(view, cluster)) {
            return Optional.empty();
        }
        return whyOutOfTurn(view, node)
                .or(() -> downHere(view, node))
                .or(() -> changesHere(view, node))
                .or(() -> AvailabilityCheck.down(status.map(NodeStatus::ring), List.of())
                        .map(down -> node.id().shortName() + " sees " + down))
                .or(() -> AvailabilityCheck.ringWhole(view, node, others(view, node)))
                .or(() -> downElsewhere(view, node));
    }

    /**
     * Whether a NORMAL node is to take a version that an earlier datacenter has not settled. That was decided while
     * the node was broken; since then it recovered without help.
     */
    public static boolean isOutOfTurn(View view, NodeRecord node) {
        return whyOutOfTurn(view, node).isPresent();
    }

    private static Optional<String> whyOutOfTurn(View view, NodeRecord node) {
        ClusterName cluster = node.id().cluster();
        boolean serves = view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL && s.appliedSpecVersion() != node.specVersion())
                .isPresent();
        if (!serves || !Seeds.created(view, cluster)) {
            return Optional.empty();
        }
        List<DatacenterName> order = view.spec(cluster, node.specVersion())
                .map(s -> s.spec().datacenterNames())
                .orElse(List.of());
        return order.stream()
                .takeWhile(d -> !d.equals(view.datacenter()))
                .flatMap(d -> DatacenterOrder.whyNotSettled(view, cluster, node.specVersion(), d).stream())
                .findFirst();
    }

    private static boolean countsAsDown(View view, NodeRecord node) {
        return !node.joined() || LostNode.isSeenDown(view, node);
    }

    private static boolean mayRun(View view, NodeRecord node) {
        AllocationState state = view.allocations().get(node.allocation().id());
        return state != null && state.status() == AllocationState.Status.RUNNING;
    }

    private static List<NodeRecord> others(View view, NodeRecord node) {
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .toList();
    }

    /**
     * A node that does not answer may be down, or keep hints for another node. One whose machine is lost is awaited
     * until it is replaced, as for a new decision; its replacement does not wait for nodes that are held back here.
     */
    private static Optional<String> downHere(View view, NodeRecord node) {
        return others(view, node).stream()
                .filter(n -> n.launched() && n.run())
                .filter(n -> view.status(n.id())
                        .filter(s -> s.mode() == OperatingMode.NORMAL)
                        .isEmpty())
                .findFirst()
                .map(n -> n.id().shortName()
                        + view.status(n.id())
                                .map(s -> " is " + s.mode().with(s.activity()))
                                .orElse(": its executor does not answer"));
    }

    /**
     * Late decisions here are sent in the order of the node indexes. A node that has received its decision but still
     * runs as before counts as changing; one that waits for an earlier datacenter does not.
     */
    private static Optional<String> changesHere(View view, NodeRecord node) {
        return others(view, node).stream()
                .filter(n -> n.launched() && n.run() && !isOutOfTurn(view, n))
                .filter(n -> n.id().compareTo(node.id()) < 0
                        || view.status(n.id())
                                .filter(s -> s.generation() >= n.generation()
                                        && ClearTextCheck.missing(view, n).isEmpty())
                                .isPresent())
                .flatMap(n -> AvailabilityCheck.unsettled(view, n).stream())
                .findFirst();
    }

    /**
     * A peer reports UNKNOWN for a node that is about to change. Of two such nodes, the one of the first datacenter
     * changes first.
     */
    private static Optional<String> downElsewhere(View view, NodeRecord node) {
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
                .filter(n -> n.mode() != OperatingMode.UNKNOWN
                        || before.contains(n.node().datacenter()))
                .findFirst()
                .map(n -> n.node().datacenter() + " " + n.node().shortName() + " is "
                        + n.mode().with(n.activity()));
    }
}
