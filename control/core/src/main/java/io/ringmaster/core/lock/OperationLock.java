package io.ringmaster.core.lock;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Orders the requests of a cluster across all datacenters, without a lock record whose holder could die.
 *
 * <p>Requests have a total order (see {@code RequestId}). A request holds the lock in a datacenter when two
 * conditions hold: every other datacenter reports that it knows the request, because every request that is made
 * there later comes after it; and no earlier request that excludes this one is unfinished anywhere. This is
 * Lamport's mutual exclusion (Time, Clocks, and the Ordering of Events, 1978) with reports as its messages.
 *
 * <p>A spec has priority: between two nodes every request waits until all datacenters have settled the newest
 * version.
 */
public final class OperationLock {
    /**
     * A parameter of every request: continue although the server of another datacenter is silent, and rely on
     * gossip.
     */
    public static final String ALLOW_SILENT_PEERS = "allow_silent_peers";

    /**
     * A request that concerns no node here ends at once, before the other datacenters know of it; they do within
     * this time.
     */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

    private OperationLock() {}

    public static boolean allowsSilentPeers(Map<String, String> params) {
        return Boolean.parseBoolean(params.get(ALLOW_SILENT_PEERS));
    }

    /** Why the request must not start in the deciding datacenter yet; empty when it may. */
    public static Optional<String> reason(View view, Request request) {
        if (hasLeft(view, request.cluster()) || makesRoom(request)) {
            return Optional.empty();
        }
        boolean allowSilent = allowsSilentPeers(request.params());
        for (DatacenterName other : others(view, request.cluster())) {
            Optional<String> silence = view.silence(other);
            if (silence.isPresent() && !allowSilent) {
                return silence.map(s -> s + "; it may run an operation, and must know of this request first");
            }
            if (silence.isEmpty() && part(view, other, request).isEmpty()) {
                return Optional.of(other + " does not know of this request yet");
            }
        }
        return earlier(view, request, allowSilent)
                .or(() -> overtakesSpec(view, request)
                        ? Optional.empty()
                        : specAtWork(view, request.cluster(), allowSilent))
                .or(() -> datacentersBefore(view, request, allowSilent));
    }

    /**
     * Whether this datacenter has left the cluster: it has no node to change, and no peer reports newer versions to
     * it.
     */
    private static boolean hasLeft(View view, ClusterName cluster) {
        return view.nodesOf(cluster).isEmpty()
                && view.targetSpec(cluster)
                        .filter(s -> s.spec().datacenter(view.datacenter()).isEmpty())
                        .isPresent();
    }

    /**
     * Whether the request makes room on the disks of single nodes, where everything else may wait for room. It needs
     * nothing of other nodes, waits for the task of its own node alone, and holds up no other request.
     */
    private static boolean makesRoom(Request request) {
        return request.operation().equals(NodeTask.Kind.CLEAR_SNAPSHOTS.label());
    }

    /**
     * Whether the spec itself waits for this request: for the start of a stopped cluster, the replacement of a dead
     * node, or the repair of ranges that was aborted.
     */
    private static boolean overtakesSpec(View view, Request request) {
        return isStopped(view, request.cluster())
                || request.lockScope() == LockScope.MEND
                || (request.lockScope() == LockScope.REPAIR
                        && view.nodesOf(request.cluster()).stream().anyMatch(NodeRecord::owesRepair));
    }

    /** Whether a request stopped the whole cluster here. */
    public static boolean isStopped(View view, ClusterName cluster) {
        List<NodeRecord> nodes =
                view.nodesOf(cluster).stream().filter(NodeRecord::launched).toList();
        return !nodes.isEmpty() && nodes.stream().noneMatch(n -> n.run() || n.evacuating());
    }

    /** Why the newest spec is not settled in all datacenters. */
    public static Optional<String> specAtWork(View view, ClusterName cluster, boolean allowSilent) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.deleting()) {
            return Optional.of(cluster + " is being deleted");
        }
        Optional<Plan> open = view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && p.request() == null)
                .filter(p -> !p.status().isOver())
                .findFirst();
        if (open.isPresent()) {
            return Optional.of("the spec goes first: plan " + open.get().id() + " is not over");
        }
        long target = record.targetSpecVersion();
        if (view.settledSpecVersion(cluster) < target) {
            return Optional.of("the spec goes first: version " + target + " is not settled in " + view.datacenter());
        }
        for (DatacenterName other : others(view, cluster)) {
            Optional<String> silence = view.silence(other);
            if (silence.isPresent() && allowSilent) {
                continue;
            }
            Optional<ClusterPart> part = view.lastPart(other, cluster);
            if (silence.isPresent() || part.isEmpty()) {
                return Optional.of(silence.orElse(other + " does not know " + cluster + " yet"));
            }
            if (part.get().spec().version() != target || part.get().settledSpecVersion() < target) {
                return Optional.of("the spec goes first: version " + target + " is not settled in " + other);
            }
        }
        return Optional.empty();
    }

    /** Whether a peer knows the request to be over in this datacenter: the store here may have lost that. */
    public static boolean wasOverHere(View view, Request request) {
        return view.peers().keySet().stream()
                .flatMap(peer -> view.lastPart(peer, request.cluster()).stream())
                .flatMap(p -> p.request(request.id()).stream())
                .anyMatch(r -> r.request().equals(request) && r.part().overIn().contains(view.datacenter()));
    }

    /** The progress of a request in a datacenter, as far as it is known here. */
    public static Optional<RequestPart> part(View view, DatacenterName datacenter, Request request) {
        RequestRecord own = view.requests().get(request.id());
        if (datacenter.equals(view.datacenter())) {
            return Optional.ofNullable(own).map(RequestRecord::part);
        }
        Optional<ClusterPart> part = view.lastPart(datacenter, request.cluster());
        Optional<RequestPart> reported =
                part.flatMap(p -> p.request(request.id())).map(RequestRecord::part);
        // A datacenter forgets a request long after all datacenters, this one included, reported it as over.
        if (reported.isEmpty()
                && part.isPresent()
                && own != null
                && own.part().state().isOver()
                && own.part().since().plus(REPORTED_WITHIN).isBefore(view.now())) {
            return Optional.of(own.part());
        }
        return reported;
    }

    /** Whether the request has done its work where it concerns nodes, but for the repair of the ranges that moved. */
    public static boolean isRepairing(View view, Request request) {
        return all(view, request.cluster()).stream()
                .flatMap(d -> part(view, d, request).stream())
                .anyMatch(RequestPart::repairs);
    }

    /** The requests of the cluster that are known here, in their total order. */
    public static List<Request> known(View view, ClusterName cluster) {
        String incarnation = view.targetSpec(cluster)
                .map(s -> String.valueOf(s.incarnation()))
                .orElse("");
        return view.requests().values().stream()
                .map(RequestRecord::request)
                .filter(r -> r.cluster().equals(cluster))
                .filter(r -> String.valueOf(r.incarnation()).equals(incarnation))
                .toList();
    }

    private static Optional<String> earlier(View view, Request request, boolean allowSilent) {
        return known(view, request.cluster()).stream()
                .filter(r -> r.id().compareTo(request.id()) < 0 && !makesRoom(r) && exclude(r, request))
                .flatMap(r -> unfinished(view, r, allowSilent).stream())
                .findFirst();
    }

    /** The datacenter in which a request is not over; a silent datacenter counts unless {@code allowSilent}. */
    public static Optional<String> unfinished(View view, Request earlier, boolean allowSilent) {
        for (DatacenterName datacenter : all(view, earlier.cluster())) {
            boolean silent = view.silence(datacenter).isPresent() && !datacenter.equals(view.datacenter());
            Optional<RequestPart> part = part(view, datacenter, earlier);
            boolean over = part.map(p -> p.state().isOver()).orElse(false);
            if (!over && !(silent && allowSilent)) {
                return Optional.of("waits for the operation lock: " + earlier.title() + " is first in " + datacenter
                        + part.map(p -> ", since " + CLOCK.format(p.since()) + ": " + p.reason())
                                .orElse(", which does not know of it yet"));
            }
        }
        return Optional.empty();
    }

    /**
     * Why a repair has to wait for a replacement. It would wait for the dead replica, and a node that it keeps busy
     * cannot pass the check that the replacement ends with. A replacement is not awaited when only its own repair is
     * left, or when the node that it is to replace is back. A datacenter that does not answer is not awaited either:
     * who repairs without it allowed that.
     */
    public static Optional<String> replacing(View view, ClusterName cluster) {
        return replacements(view, cluster)
                .filter(r -> !isRepairing(view, r) && !isBack(view, r))
                .findFirst()
                .map(r -> r.title() + " goes first");
    }

    /** The replacements that are not over, as far as is known. */
    public static Stream<Request> replacements(View view, ClusterName cluster) {
        return known(view, cluster).stream()
                .filter(r -> r.lockScope() == LockScope.MEND)
                .filter(r -> unfinished(view, r, true).isPresent());
    }

    /** Whether the node serves and was not moved: a replacement has proven no version before it passed its check. */
    static boolean isBack(View view, Request replacement) {
        return Selection.of(replacement.cluster(), replacement.params()).in(view).stream()
                .anyMatch(n -> n.joined()
                        && n.goodSpecVersion() > 0
                        && view.status(n.id())
                                .filter(s -> s.mode() == OperatingMode.NORMAL)
                                .isPresent());
    }

    /**
     * Whether the earlier request {@code one} excludes {@code other}. A request that waits because a node is dead
     * does not block the replacement of that node.
     */
    private static boolean exclude(Request one, Request other) {
        if (other.lockScope() == LockScope.MEND) {
            return one.lockScope() == LockScope.MEND;
        }
        if (other.lockScope() == LockScope.BACKUP) {
            // a repair takes days; a snapshot interrupts it for seconds
            return one.lockScope() != LockScope.REPAIR;
        }
        if (one.lockScope() == LockScope.BACKUP) {
            return false; // transfers take hours, and nothing that others do can damage them unseen
        }
        if (one.lockScope() == LockScope.MEND
                || one.lockScope() == LockScope.RING
                || other.lockScope() == LockScope.RING) {
            return true;
        }
        if (one.lockScope() != other.lockScope()) {
            return false;
        }
        return one.lockScope() == LockScope.REPAIR
                || Selection.of(one.cluster(), one.params()).mayOverlap(Selection.of(other.cluster(), other.params()));
    }

    /**
     * Requests of the scopes {@code NODES} and {@code BACKUP} may run in all datacenters at once; all others run in one
     * datacenter after another, in the order of the spec.
     */
    private static Optional<String> datacentersBefore(View view, Request request, boolean allowSilent) {
        List<DatacenterName> order = all(view, request.cluster());
        int self = order.indexOf(view.datacenter());
        boolean atOnce = request.lockScope() == LockScope.NODES || request.lockScope() == LockScope.BACKUP;
        if (atOnce || self < 0) {
            return Optional.empty();
        }
        for (DatacenterName before : order.subList(0, self)) {
            boolean ignored = allowSilent && view.silence(before).isPresent();
            Optional<RequestPart> part = part(view, before, request);
            boolean over = part.map(p -> p.state().isOver()).orElse(false);
            if (!over && !ignored) {
                return Optional.of("waits for the operation lock: " + before + " runs this request first"
                        + part.map(p -> ", since " + CLOCK.format(p.since()) + ": " + p.reason())
                                .orElse(""));
            }
        }
        return Optional.empty();
    }

    private static List<DatacenterName> all(View view, ClusterName cluster) {
        return view.targetSpec(cluster).map(s -> DatacenterOrder.of(view, s)).orElse(List.of());
    }

    private static List<DatacenterName> others(View view, ClusterName cluster) {
        return all(view, cluster).stream()
                .filter(d -> !d.equals(view.datacenter()))
                .toList();
    }
}
