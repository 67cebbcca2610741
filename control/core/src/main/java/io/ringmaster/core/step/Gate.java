package io.ringmaster.core.step;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One node at a time, in all datacenters together.
 *
 * <p>It trusts what the nodes themselves see through gossip, of all datacenters; the other servers are asked only so that two of them do
 * not act before gossip can tell.
 */
final class Gate implements Budget {
    static final Gate ONE_AT_A_TIME = new Gate();

    /** Gossip's words for endpoints that are no members any more. */
    private static final Set<String> GONE = Set.of("LEFT", "removed", "removing");

    private Gate() {}

    /**
     * A node that will not come back by itself may be mended at any time: else a bad change of two nodes could never be put right. One
     * that is merely down may be NORMAL again before it hears what is decided now.
     */
    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        if (Breakage.of(view, node.id()).isPresent()) {
            return changing(view, node);
        }
        Optional<String> others = otherDatacenters(view, node.id().cluster(), specVersion);
        if (others.isPresent()) {
            return others;
        }
        for (NodeRecord other : view.nodesOf(node.id().cluster())) {
            if (!other.id().equals(node.id()) && other.launched()) {
                Optional<String> unsettled = unsettled(view, other);
                if (unsettled.isPresent()) {
                    return unsettled;
                }
            }
        }
        return ringWhole(view, node);
    }

    /** Even what is broken may start at its next try, while another node is on its way down. */
    private static Optional<String> changing(View view, NodeRecord broken) {
        return view.nodesOf(broken.id().cluster()).stream()
                .filter(n -> !n.id().equals(broken.id()) && n.launched())
                .filter(n -> view.status(n.id()).isPresent()
                        && Breakage.of(view, n.id()).isEmpty())
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst();
    }

    /**
     * Two datacenters must not take a node down at the same moment, when gossip cannot know yet: those before this one are through with
     * this version, and those after it know of it, so that they are through with the one before, and tell that their nodes are well. A
     * silent one after it is left to gossip.
     */
    private static Optional<String> otherDatacenters(View view, ClusterName cluster, long specVersion) {
        List<DatacenterName> order =
                view.spec(cluster, specVersion).orElseThrow().spec().datacenterNames();
        int self = order.indexOf(view.datacenter());
        for (DatacenterName other : order) {
            Optional<String> reason = order.indexOf(other) < self
                    ? new AwaitTurn(cluster, specVersion, other).reason(view)
                    : other.equals(view.datacenter()) || Silence.of(view, other).isPresent()
                            ? Optional.empty()
                            : unaware(view, cluster, specVersion, other);
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unaware(View view, ClusterName cluster, long specVersion, DatacenterName other) {
        ClusterPart part = view.lastPart(other, cluster).orElse(null);
        if (part == null || part.spec().version() < specVersion) {
            return Optional.of(other + " does not know of version " + specVersion + " yet");
        }
        return part.nodes().stream()
                .filter(n -> n.joined() && n.mode() != OperatingMode.NORMAL)
                .findFirst()
                .map(n -> other + " " + n.node().shortName() + " is " + n.mode() + ": " + n.activity());
    }

    /** Every live node of its cluster here must see it NORMAL, with one schema. */
    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        String endpoint = Seeds.endpoint(node.allocation());
        for (NodeRecord other : view.nodesOf(node.id().cluster())) {
            Optional<NodeStatus> status = view.status(other.id()).filter(s -> s.mode() == OperatingMode.NORMAL);
            if (status.isEmpty()) {
                continue;
            }
            RingView ring = status.get().ring();
            if (ring == null) {
                return Optional.of(other.id().shortName() + " has not told its ring yet");
            }
            boolean seen = ring.peers().stream().anyMatch(p -> p.endpoint().equals(endpoint) && p.isNormal());
            if (!seen) {
                return Optional.of(
                        other.id().shortName() + " does not see " + node.id().shortName() + " NORMAL yet");
            }
        }
        return schemas(view, view.nodesOf(node.id().cluster()));
    }

    /** Why a node is not what its record says it should be. */
    static Optional<String> unsettled(View view, NodeRecord node) {
        String name = node.id().shortName();
        Optional<NodeStatus> heard = view.status(node.id());
        if (heard.isEmpty()) {
            return Optional.of(name + ": its executor does not answer");
        }
        NodeStatus status = heard.get();
        if (status.generation() < node.generation()) {
            return Optional.of(name + " has not taken its newest target yet");
        }
        if (status.mode() != OperatingMode.NORMAL) {
            return Optional.of(name + " is " + status.mode() + ": " + status.activity());
        }
        if (status.appliedSpecVersion() != node.specVersion() || status.appliedRestarts() < node.restarts()) {
            return Optional.of(name + " still runs with its old configuration");
        }
        return Optional.empty();
    }

    /** Why the ring is not whole in the eyes of the nodes here; {@code except} itself may be missing or unseen. */
    private static Optional<String> ringWhole(View view, NodeRecord except) {
        String skipped = Seeds.endpoint(except.allocation());
        List<NodeRecord> nodes = view.nodesOf(except.id().cluster()).stream()
                .filter(n -> !n.id().equals(except.id()))
                .toList();
        for (NodeRecord node : nodes) {
            RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
            if (ring == null) {
                continue;
            }
            for (RingView.PeerSeen peer : ring.peers()) {
                if (!peer.isNormal()
                        && !GONE.contains(peer.status())
                        && !peer.endpoint().equals(skipped)) {
                    return Optional.of(node.id().shortName() + " sees " + peer.endpoint() + " (" + peer.datacenter()
                            + ") " + (peer.alive() ? peer.status() : "DOWN"));
                }
            }
        }
        return schemas(view, nodes);
    }

    /** Why the nodes, and those that they see alive, do not agree on one schema. */
    static Optional<String> schemas(View view, List<NodeRecord> nodes) {
        TreeMap<String, String> byVersion = new TreeMap<>();
        for (NodeRecord node : nodes) {
            RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
            if (ring != null) {
                byVersion.putIfAbsent(ring.schemaVersion(), node.id().shortName());
                ring.peers().stream()
                        .filter(RingView.PeerSeen::isNormal)
                        .forEach(p -> byVersion.putIfAbsent(p.schemaVersion(), p.endpoint()));
            }
        }
        return byVersion.size() <= 1
                ? Optional.empty()
                : Optional.of("schema agreement: " + String.join(" and ", byVersion.values()) + " differ");
    }

    /** For messages: what is known of a node whose executor may be silent. */
    static String lastKnown(View view, NodeId node) {
        var sighting = view.statuses().get(node);
        if (sighting == null) {
            return "its executor has not been heard yet";
        }
        return sighting.silence() == null ? "its executor answers" : "its executor is silent: " + sighting.silence();
    }
}
