package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.operation.Replace;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.AutomaticReplacement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides when a node is replaced automatically: its machine has been lost for the time that the cluster's spec gives.
 * The decision follows from records, so that a new leader decides the same.
 */
public final class AutomaticReplace {
    /** The requester of automatic replacements. */
    public static final String WHO = "automatic";

    /**
     * The time in which one server may request, before the next server may: several seconds, since each server checks
     * about once a second.
     */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** One window to request and two in which the request reaches all servers. */
    private static final int WINDOWS = 3;

    private AutomaticReplace() {}

    /** A replacement to request now. */
    public record Due(Map<String, String> params, String why) {}

    /**
     * The replacement that this datacenter's server requests now, at most one per cluster.
     *
     * @param maxInProgress the maximum number of automatic replacements in progress, fleet-wide
     */
    public static Optional<Due> dueHere(View view, ClusterName cluster, int maxInProgress) {
        AutomaticReplacement policy =
                view.targetSpec(cluster).map(s -> s.spec().replace()).orElse(null);
        ClusterRecord record = view.clusters().get(cluster);
        if (policy == null
                || record == null
                || record.deleting()
                || !Seeds.created(view, cluster)
                || OperationLock.isStopped(view, cluster)
                || isInProgress(view, cluster)
                || !mayRequest(view)
                || inProgress(view) >= maxInProgress) {
            return Optional.empty();
        }
        Duration after = Duration.ofMinutes(policy.afterMinutes());
        return view.nodesOf(cluster).stream()
                .filter(n -> LostNode.of(view, n))
                .filter(n -> n.lostSince() != null
                        && !n.lostSince().plus(after).isAfter(view.now())
                        && !lastRequested(view, n.id()).plus(after).isAfter(view.now()))
                .filter(n -> LostNode.whyNotReplaced(view, n).isEmpty()
                        && LostNode.unrepaired(view, n).isEmpty())
                .findFirst()
                .map(n -> new Due(params(n.id()), why(n, after)));
    }

    private static Map<String, String> params(NodeId node) {
        return Map.of(Selection.NODE, node.datacenter() + "/" + node.shortName());
    }

    private static String why(NodeRecord node, Duration after) {
        return node.allocation().machine() + " has been lost since " + node.lostSince() + ", for more than "
                + Age.write(after);
    }

    /**
     * Whether a replacement of the cluster is in progress, requested by a user or automatically. One whose node has
     * joined is not: its repair may have to wait for the next replacement.
     */
    private static boolean isInProgress(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.lockScope() == LockScope.MEND && !OperationLock.isRepairing(view, r))
                .anyMatch(r -> OperationLock.unfinished(view, r, false).isPresent());
    }

    /**
     * When the replacement of the node was last requested. One that was refused or ended is requested again after the
     * same time as after the loss.
     */
    private static Instant lastRequested(View view, NodeId node) {
        return OperationLock.known(view, node.cluster()).stream()
                .filter(r -> isAutomatic(r) && r.params().equals(params(node)))
                .map(Request::at)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /**
     * Servers of different datacenters may request in different windows of the clock, so that each knows the earlier
     * requests of the others. While one server does not answer, none may.
     */
    private static boolean mayRequest(View view) {
        List<DatacenterName> all = Stream.concat(view.knownPeers().stream(), Stream.of(view.datacenter()))
                .distinct()
                .sorted()
                .toList();
        boolean allAnswer =
                view.knownPeers().stream().allMatch(p -> view.silence(p).isEmpty());
        long window = view.now().getEpochSecond() / WINDOW.toSeconds();
        boolean ownWindow =
                Math.floorMod(window, (long) WINDOWS * all.size()) == (long) WINDOWS * all.indexOf(view.datacenter());
        return all.size() == 1 || (allAnswer && ownWindow);
    }

    /** Automatic replacements in all datacenters whose node has not joined, by the last reports. */
    private static long inProgress(View view) {
        return unfinished(view, AutomaticReplace::isAutomatic)
                .filter(parts -> parts.stream().noneMatch(RequestPart::repairs))
                .count();
    }

    /** The parts of these requests, by request, as far as one is not over in all datacenters by the last reports. */
    static Stream<List<RequestPart>> unfinished(View view, Predicate<Request> which) {
        Stream<RequestRecord> reported = view.peers().values().stream()
                .flatMap(s -> Stream.ofNullable(s.last()))
                .flatMap(r -> r.clusters().stream())
                .map(ClusterPart::requests)
                .flatMap(List::stream);
        Map<RequestId, List<RequestPart>> parts = Stream.concat(view.requests().values().stream(), reported)
                .filter(r -> which.test(r.request()))
                .collect(Collectors.groupingBy(
                        r -> r.request().id(), Collectors.mapping(RequestRecord::part, Collectors.toList())));
        return parts.values().stream()
                .filter(all -> all.stream().anyMatch(p -> !p.state().isOver()));
    }

    private static boolean isAutomatic(Request request) {
        return request.who().equals(WHO) && request.operation().equals(Replace.NAME);
    }
}
