package io.ringmaster.core.safety;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Allows one node at a time to be down, in all datacenters together.
 *
 * <p>The check trusts what the nodes see of each other through gossip, across datacenters. It asks the other
 * servers only so that two of them do not act before gossip has spread what the first one did.
 */
public final class AvailabilityCheck implements Budget {
    public static final AvailabilityCheck ONE_AT_A_TIME = new AvailabilityCheck();

    /**
     * Hints of this size are replayed within seconds at the default throttle of 1 MiB/s. A larger bound would let a
     * second replica go down while the first is far behind.
     */
    public static final long HINTS_BOUND_BYTES = 4L << 20;

    /**
     * After this time without a report gossip shows what the servers of a datacenter did last. A Cassandra node that
     * stops or dies is seen DOWN within 20 s.
     */
    private static final Duration GOSSIP = Duration.ofSeconds(30);

    private static final Set<OperatingMode> NOT_UP = EnumSet.of(
            OperatingMode.UNKNOWN,
            OperatingMode.DOWN,
            OperatingMode.LAUNCHED,
            OperatingMode.STARTING,
            OperatingMode.JOINING_FAILED);

    private AvailabilityCheck() {}

    /**
     * A permanently failed node may be changed at any time: otherwise a bad change of two nodes could never be
     * corrected. Should it start after all, its executor refuses the target; only a relaunch must wait. A node that is
     * merely down, or that starts once more, waits: it may soon be NORMAL.
     */
    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        if (is(OperatingMode.DOWN, view, node)
                && PermanentFailure.of(view, node.id()).isPresent()) {
            return relaunches(view, node, specVersion) ? beforeRelaunch(view, node) : Optional.empty();
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
                .or(() -> ringWhole(view, node, rest))
                .or(() -> TrustCheck.beforeFirstNode(view, node));
    }

    private static boolean relaunches(View view, NodeRecord node, long specVersion) {
        SpecRecord spec = view.spec(node.id().cluster(), specVersion).orElseThrow();
        return Relaunching.isNeeded(
                view,
                node.withAllocation(node.allocation().withResources(spec.spec().resources())));
    }

    /** A spec waits for the task of a node, which a restart would undo. */
    private static Optional<String> atWork(NodeRecord node) {
        return Optional.ofNullable(node.task())
                .map(t -> node.id().shortName() + " runs a task: " + t.kind().label());
    }

    /**
     * Why a node of a created cluster must not be relaunched while it is down: it may have started meanwhile, and a
     * relaunch would take it down again beside another one that is down or silent. It does not wait for a node that
     * cannot start, waits for its own relaunch, is lost, or serves with a target that is held back because of it.
     */
    public static Optional<String> beforeRelaunch(View view, NodeRecord node) {
        if (!is(OperatingMode.DOWN, view, node)
                || !node.joined()
                || !Seeds.created(view, node.id().cluster())) {
            return Optional.empty();
        }
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()) && n.launched())
                .filter(n -> PermanentFailure.of(view, n.id()).isEmpty() && !LostNode.of(view, n))
                .filter(n -> !servesUntilMended(view, n) && !isDownUntilRelaunched(view, n))
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst();
    }

    private static boolean isDownUntilRelaunched(View view, NodeRecord node) {
        return is(OperatingMode.DOWN, view, node) && Relaunching.isNeeded(view, node);
    }

    private static boolean servesUntilMended(View view, NodeRecord node) {
        return is(OperatingMode.NORMAL, view, node)
                && StaleDecisionCheck.whyHeldBack(view, node).isPresent();
    }

    private static boolean is(OperatingMode mode, View view, NodeRecord node) {
        return view.status(node.id()).filter(s -> s.mode() == mode).isPresent();
    }

    /**
     * Two datacenters must not take a node down at the same moment, before gossip can know. The datacenters before
     * this one must have settled this version. Those after it must know of this version, so that they start nothing
     * for an older one, and must report that their nodes are NORMAL; one among them that has been silent for longer
     * than gossip takes is left to it. A datacenter that is to leave comes after all that stay, and requires
     * the same report from them.
     */
    private static Optional<String> otherDatacenters(View view, ClusterName cluster, long specVersion) {
        SpecRecord spec = view.spec(cluster, specVersion).orElseThrow();
        boolean stays = spec.spec().datacenter(view.datacenter()).isPresent();
        List<DatacenterName> order = DatacenterOrder.of(view, spec);
        int self = order.indexOf(view.datacenter());
        boolean lacksData = Restoration.isIncompleteHere(view, cluster);
        for (DatacenterName other : order) {
            boolean before = order.indexOf(other) < self;
            boolean asked = !other.equals(view.datacenter()) && (!before || !stays);
            Optional<String> notSettled = before && !lacksData
                    ? DatacenterOrder.whyNotSettled(view, cluster, specVersion, other)
                    : Optional.empty();
            Optional<String> reason =
                    notSettled.or(() -> asked ? unaware(view, cluster, specVersion, other) : Optional.empty());
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unaware(View view, ClusterName cluster, long specVersion, DatacenterName other) {
        Optional<String> silence = view.silence(other);
        if (silence.isPresent()) {
            return silence.filter(s -> view.reportedWithin(other, GOSSIP))
                    .map(s -> s + "; gossip may not show yet what it did last");
        }
        ClusterPart part = view.lastPart(other, cluster).orElse(null);
        if (part == null || part.spec().version() < specVersion) {
            return Optional.of(other + " does not know of version " + specVersion + " yet");
        }
        return notNormal(other, part);
    }

    /**
     * A joining node counts from its launch on: gossip shows it only once it joins. A node that never joined and is
     * UNKNOWN is not launched yet.
     */
    private static Optional<String> notNormal(DatacenterName other, ClusterPart part) {
        return part.nodes().stream()
                .filter(n -> n.mode() != OperatingMode.NORMAL)
                .filter(n -> n.joined() || n.mode() != OperatingMode.UNKNOWN)
                .findFirst()
                .map(n -> other + " " + n.node().shortName() + " is " + n.mode().with(n.activity()));
    }

    @Override
    public Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
        return beforeRequested(view, node, together, allowSilentPeers, RepairScope.ALL);
    }

    @Override
    public Optional<String> beforeRepair(View view, NodeRecord node, RepairScope scope, boolean allowSilentPeers) {
        return beforeRequested(view, node, false, allowSilentPeers, scope);
    }

    private static Optional<String> beforeRequested(
            View view, NodeRecord node, boolean together, boolean allowSilentPeers, RepairScope scope) {
        ClusterName cluster = node.id().cluster();
        if (node.replaces() != null) {
            return Optional.of(node.id().shortName() + " is being replaced");
        }
        Optional<String> spec = OperationLock.specAtWork(view, cluster, allowSilentPeers);
        if (spec.isPresent()) {
            return spec;
        }
        Optional<String> elsewhere = notNormalElsewhere(view, cluster, scope);
        if (elsewhere.isPresent()) {
            return elsewhere;
        }
        List<NodeRecord> others = view.nodesOf(cluster).stream()
                .filter(n -> !n.id().equals(node.id()))
                .filter(n -> !together || !n.rack().equals(node.rack()))
                .toList();
        return others.stream()
                .filter(NodeRecord::launched)
                .flatMap(n -> unsettled(view, n).stream())
                .findFirst()
                .or(() -> ringWhole(view, node, others, scope));
    }

    /** The first node of another datacenter that is not NORMAL, as far as their servers answer. */
    static Optional<String> notNormalElsewhere(View view, ClusterName cluster) {
        return notNormalElsewhere(view, cluster, RepairScope.ALL);
    }

    private static Optional<String> notNormalElsewhere(View view, ClusterName cluster, RepairScope scope) {
        return DatacenterOrder.of(view, view.targetSpec(cluster).orElseThrow()).stream()
                .filter(d -> !d.equals(view.datacenter()) && scope.has(d))
                .filter(d -> view.silence(d).isEmpty())
                .flatMap(d -> view.lastPart(d, cluster).flatMap(p -> notNormal(d, p)).stream())
                .findFirst();
    }

    /** A node whose newest target is held back until the dead node is replaced is healthy meanwhile. */
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

    /**
     * Whether the daemon runs. A daemon that is still starting counts as dead, because it may never finish; an
     * executor that has lost its volume cannot say (UNKNOWN).
     */
    public static boolean isUp(View view, NodeRecord node) {
        return view.status(node.id()).filter(s -> !NOT_UP.contains(s.mode())).isPresent();
    }

    /** Every live node of the cluster here must see the node NORMAL, with one schema. */
    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        RingMember member = RingMember.of(view, node);
        for (NodeRecord other : view.nodesOf(node.id().cluster())) {
            Optional<NodeStatus> status = view.status(other.id()).filter(s -> s.mode() == OperatingMode.NORMAL);
            if (status.isEmpty()) {
                continue;
            }
            RingView ring = status.get().ring();
            if (ring == null) {
                return Optional.of(other.id().shortName() + " has not reported its ring yet");
            }
            if (!member.isNormalIn(ring)) {
                return Optional.of(
                        other.id().shortName() + " does not see " + node.id().shortName() + " NORMAL yet");
            }
        }
        return hints(view, node, HINTS_BOUND_BYTES)
                .or(() -> schemas(view, view.nodesOf(node.id().cluster())));
    }

    /**
     * Why hints for the node are not delivered yet.
     *
     * @param boundBytes hints up to this size on one node do not block
     */
    public static Optional<String> hints(View view, NodeRecord node, long boundBytes) {
        String host = RingMember.of(view, node).hostId();
        for (NodeRecord other : view.nodesOf(node.id().cluster())) {
            long bytes = view.status(other.id())
                    .map(NodeStatus::ring)
                    .map(r -> host == null ? 0L : r.hintsFor().getOrDefault(host, 0L))
                    .orElse(0L);
            if (bytes > boundBytes) {
                return Optional.of(other.id().shortName() + " still keeps " + Size.text(bytes) + " of hints for "
                        + node.id().shortName());
            }
        }
        return Optional.empty();
    }

    /** Why a node does not run what its record says. */
    public static Optional<String> unsettled(View view, NodeRecord node) {
        String name = node.id().shortName();
        Optional<NodeStatus> reported = view.status(node.id());
        if (reported.isEmpty()) {
            return Optional.of(name + ": its executor does not answer");
        }
        NodeStatus status = reported.get();
        if (status.generation() < node.generation()) {
            return ClearTextCheck.whyNotSent(view, node)
                    .or(() -> Optional.of(name + " has not taken its newest target yet"));
        }
        if (status.mode() != OperatingMode.NORMAL) {
            return Optional.of(name + " is " + doing(status));
        }
        if (status.appliedSpecVersion() != node.specVersion() || status.appliedRestarts() < node.restarts()) {
            return Optional.of(name + " still runs with its old configuration");
        }
        return ClearTextCheck.missing(view, node).map(kind -> name + " follows a target without " + kind);
    }

    /** What a node that is not NORMAL does; on a full disk, where there must be room before it starts. */
    public static String doing(NodeStatus status) {
        Problem problem = status.problem();
        return status.mode()
                .with(problem != null && PermanentFailure.isOfVolume(problem) ? problem.message() : status.activity());
    }

    /**
     * Why the ring is not whole as {@code others} see it, or as the node itself sees it where it is alone. The
     * remaining nodes here, and the dead ones that they replace, may be missing or unseen.
     */
    static Optional<String> ringWhole(View view, NodeRecord touched, List<NodeRecord> others) {
        return ringWhole(view, touched, others, RepairScope.ALL);
    }

    private static Optional<String> ringWhole(
            View view, NodeRecord touched, List<NodeRecord> others, RepairScope scope) {
        List<RingMember> skipped = view.nodesOf(touched.id().cluster()).stream()
                .filter(n -> !others.contains(n))
                .flatMap(n -> Stream.concat(Stream.of(RingMember.of(view, n)), RingMember.replacedBy(n).stream()))
                .toList();
        List<NodeRecord> asked = others.stream().anyMatch(NodeRecord::launched) ? others : List.of(touched);
        for (NodeRecord node : asked) {
            Optional<String> down = down(view.status(node.id()).map(NodeStatus::ring), skipped, scope);
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

    /** The first member of the ring that gossip shows as not NORMAL. */
    static Optional<String> down(Optional<RingView> ring, List<RingMember> skipped) {
        return down(ring, skipped, RepairScope.ALL);
    }

    private static Optional<String> down(Optional<RingView> ring, List<RingMember> skipped, RepairScope scope) {
        return ring.stream()
                .flatMap(r -> r.members().stream())
                .filter(p -> scope.has(p.datacenter()))
                .filter(p -> !p.isNormal() && skipped.stream().noneMatch(m -> m.is(p)))
                .findFirst()
                .map(p -> p.endpoint() + " (" + p.datacenter() + ") " + (p.alive() ? p.status() : "DOWN"));
    }

    /** Why the nodes and those that they see alive do not agree on one schema. */
    public static Optional<String> schemas(View view, List<NodeRecord> nodes) {
        TreeMap<String, String> byVersion = new TreeMap<>();
        for (NodeRecord node : nodes) {
            RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
            if (ring != null) {
                byVersion.putIfAbsent(ring.schemaVersion(), node.id().shortName());
                ring.members().stream()
                        .filter(RingView.PeerSeen::isNormal)
                        .forEach(p -> byVersion.putIfAbsent(p.schemaVersion(), p.endpoint()));
            }
        }
        return byVersion.size() <= 1
                ? Optional.empty()
                : Optional.of("schema agreement: " + String.join(" and ", byVersion.values()) + " differ");
    }

    /** What is known of the executor of a node, for messages. */
    public static String lastKnown(View view, NodeId node) {
        var sighting = view.statuses().get(node);
        if (sighting == null) {
            return "its executor has not answered yet";
        }
        return sighting.silence() == null ? "its executor answers" : "its executor is silent: " + sighting.silence();
    }
}
