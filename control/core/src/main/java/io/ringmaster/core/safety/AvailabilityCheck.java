package io.ringmaster.core.safety;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.OperationLock;
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
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.Size;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One node at a time, in all datacenters together.
 *
 * <p>It trusts what the nodes themselves see through gossip, of all datacenters; the other servers are asked only so that two of them do
 * not act before gossip can tell.
 */
public final class AvailabilityCheck implements Budget {
    public static final AvailabilityCheck ONE_AT_A_TIME = new AvailabilityCheck();

    /** Replayed within seconds at the default throttle of 1 MiB/s; more would let a second replica go while the first is far behind. */
    public static final long HINTS_BOUND_BYTES = 4L << 20;

    private static final Set<OperatingMode> NOT_UP =
            EnumSet.of(OperatingMode.UNKNOWN, OperatingMode.DOWN, OperatingMode.LAUNCHED, OperatingMode.STARTING);

    private AvailabilityCheck() {}

    /**
     * A node that will not come back by itself may be mended at any time: else a bad change of two nodes could never be put right. One
     * that is merely down, or that starts once more, may be NORMAL again before it hears what is decided now.
     */
    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        boolean down = view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.DOWN)
                .isPresent();
        if (down && PermanentFailure.of(view, node.id()).isPresent()) {
            return changing(view, node);
        }
        Optional<String> others = otherDatacenters(view, node.id().cluster(), specVersion);
        if (others.isPresent()) {
            return others;
        }
        List<NodeRecord> rest = view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .toList();
        return rest.stream()
                .filter(NodeRecord::launched)
                .flatMap(n -> unsettled(view, n).or(() -> atWork(n)).stream())
                .findFirst()
                .or(() -> atWork(node))
                .or(() -> ringWhole(view, node, rest));
    }

    /** A spec waits for the work that a node was asked to do, which a restart would undo. */
    private static Optional<String> atWork(NodeRecord node) {
        return Optional.ofNullable(node.task())
                .map(t -> node.id().shortName() + " is at work: " + t.kind().label());
    }

    /** Even what is broken may start at its next try, while another node is on its way down. */
    private static Optional<String> changing(View view, NodeRecord broken) {
        return view.nodesOf(broken.id().cluster()).stream()
                .filter(n -> !n.id().equals(broken.id()) && n.launched())
                .filter(n -> view.status(n.id()).isPresent()
                        && PermanentFailure.of(view, n.id()).isEmpty())
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst();
    }

    /**
     * Two datacenters must not take a node down at the same moment, when gossip cannot know yet: those before this one are through with
     * this version, and those after it know of it, so that they are through with the one before, and tell that their nodes are well. A
     * silent one after it is left to gossip. One that is to leave comes after all that stay, and asks them, too, whether their nodes are
     * well.
     */
    private static Optional<String> otherDatacenters(View view, ClusterName cluster, long specVersion) {
        SpecRecord spec = view.spec(cluster, specVersion).orElseThrow();
        boolean stays = spec.spec().datacenter(view.datacenter()).isPresent();
        List<DatacenterName> order = DatacenterOrder.of(view, spec);
        int self = order.indexOf(view.datacenter());
        for (DatacenterName other : order) {
            boolean before = order.indexOf(other) < self;
            boolean asked = !other.equals(view.datacenter())
                    && (!before || !stays)
                    && view.silence(other).isEmpty();
            Optional<String> turn =
                    before ? DatacenterOrder.whyNotSettled(view, cluster, specVersion, other) : Optional.empty();
            Optional<String> reason =
                    turn.or(() -> asked ? unaware(view, cluster, specVersion, other) : Optional.empty());
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
        return notNormal(other, part);
    }

    /** A newcomer counts from its launch on: gossip tells of it only once it joins. One that is UNKNOWN is not there yet. */
    private static Optional<String> notNormal(DatacenterName other, ClusterPart part) {
        return part.nodes().stream()
                .filter(n -> n.mode() != OperatingMode.NORMAL)
                .filter(n -> n.joined() || n.mode() != OperatingMode.UNKNOWN)
                .findFirst()
                .map(n -> other + " " + n.node().shortName() + " is " + n.mode() + ": " + n.activity());
    }

    @Override
    public Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
        ClusterName cluster = node.id().cluster();
        if (node.replaces() != null) {
            return Optional.of(node.id().shortName() + " is being replaced");
        }
        Optional<String> spec = OperationLock.specAtWork(view, cluster, allowSilentPeers);
        if (spec.isPresent()) {
            return spec;
        }
        for (DatacenterName other :
                DatacenterOrder.of(view, view.targetSpec(cluster).orElseThrow())) {
            Optional<String> down =
                    other.equals(view.datacenter()) || view.silence(other).isPresent()
                            ? Optional.empty()
                            : view.lastPart(other, cluster).flatMap(p -> notNormal(other, p));
            if (down.isPresent()) {
                return down;
            }
        }
        List<NodeRecord> others = view.nodesOf(cluster).stream()
                .filter(n -> !n.id().equals(node.id()))
                .filter(n -> !together || !n.rack().equals(node.rack()))
                .toList();
        return others.stream()
                .filter(NodeRecord::launched)
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst()
                .or(() -> ringWhole(view, node, others));
    }

    /** A node whose newest target is held back until the dead one is replaced serves meanwhile. */
    @Override
    public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown) {
        ClusterName cluster = node.id().cluster();
        List<NodeRecord> others = view.nodesOf(cluster).stream()
                .filter(n -> !n.id().equals(node.id()))
                .filter(n -> !besideDown || isUp(view, n))
                .toList();
        return others.stream()
                .filter(n -> n.launched() && !StaleDecisionCheck.mustWait(view, n))
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst()
                .or(() -> besideDown ? Optional.empty() : ringWhole(view, node, others));
    }

    /** A daemon that starts in vain is as dead as one that does not; an executor without its volume knows nothing of it. */
    static boolean isUp(View view, NodeRecord node) {
        return view.status(node.id()).filter(s -> !NOT_UP.contains(s.mode())).isPresent();
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
        return hints(view, node, HINTS_BOUND_BYTES)
                .or(() -> schemas(view, view.nodesOf(node.id().cluster())));
    }

    /**
     * What was kept for it while it was away must be delivered.
     *
     * @param boundBytes so many on one node hold up nothing
     */
    public static Optional<String> hints(View view, NodeRecord node, long boundBytes) {
        String host = view.status(node.id())
                .map(NodeStatus::ring)
                .map(RingView::hostId)
                .orElse("");
        for (NodeRecord other : view.nodesOf(node.id().cluster())) {
            long bytes = view.status(other.id())
                    .map(NodeStatus::ring)
                    .map(r -> r.hintsFor().getOrDefault(host, 0L))
                    .orElse(0L);
            if (bytes > boundBytes) {
                return Optional.of(other.id().shortName() + " still keeps " + Size.text(bytes) + " of hints for "
                        + node.id().shortName());
            }
        }
        return Optional.empty();
    }

    /** Why a node is not what its record says it should be. */
    public static Optional<String> unsettled(View view, NodeRecord node) {
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

    /**
     * Why the ring is not whole in the eyes of {@code others}, or of the node itself where it is alone; the remaining nodes here, and whom
     * they replace, may be missing or unseen.
     */
    static Optional<String> ringWhole(View view, NodeRecord touched, List<NodeRecord> others) {
        Set<String> skipped = view.nodesOf(touched.id().cluster()).stream()
                .filter(n -> !others.contains(n))
                .flatMap(n -> Stream.of(Seeds.endpoint(n.allocation()), String.valueOf(n.replaces())))
                .collect(Collectors.toSet());
        List<NodeRecord> asked = others.stream().anyMatch(NodeRecord::launched) ? others : List.of(touched);
        for (NodeRecord node : asked) {
            Optional<String> down = down(view.status(node.id()).map(NodeStatus::ring), skipped);
            if (down.isPresent()) {
                return Optional.of(node.id().shortName() + " sees " + down.get());
            }
            Optional<String> hints = hints(view, node, HINTS_BOUND_BYTES);
            if (hints.isPresent()) {
                return hints;
            }
        }
        return schemas(view, asked);
    }

    /** The first node of a ring, as gossip tells it, that is a member and not NORMAL. */
    static Optional<String> down(Optional<RingView> ring, Set<String> skipped) {
        return ring.stream()
                .flatMap(r -> r.peers().stream())
                .filter(p -> !p.isNormal() && !p.isGone() && !skipped.contains(p.endpoint()))
                .findFirst()
                .map(p -> p.endpoint() + " (" + p.datacenter() + ") " + (p.alive() ? p.status() : "DOWN"));
    }

    /** Why the nodes, and those that they see alive, do not agree on one schema. */
    public static Optional<String> schemas(View view, List<NodeRecord> nodes) {
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
    public static String lastKnown(View view, NodeId node) {
        var sighting = view.statuses().get(node);
        if (sighting == null) {
            return "its executor has not been heard yet";
        }
        return sighting.silence() == null ? "its executor answers" : "its executor is silent: " + sighting.silence();
    }
}
