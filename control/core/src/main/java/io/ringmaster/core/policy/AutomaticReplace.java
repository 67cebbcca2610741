package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.operation.Replace;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.AutomaticReplacement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When a node is to be replaced without being asked, because its machine is lost for as long as its cluster's spec says. It follows from
 * records, so that a new leader comes to the same answer.
 */
public final class AutomaticReplace {
    /** Who asks. */
    public static final String WHO = "automatic";

    /** How long a server may ask before it is the turn of the next: several seconds, since each looks about once a second. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** The window of one server and two more, in which what it asked for becomes known to all. */
    private static final int WINDOWS = 3;

    private AutomaticReplace() {}

    /** What is to be asked for. */
    public record Due(Map<String, String> params, String why) {}

    /**
     * The replacement that this datacenter's server is to ask for now, at most one in a cluster.
     *
     * @param atOnce how many may be under way in the fleet
     */
    public static Optional<Due> dueHere(View view, ClusterName cluster, int atOnce) {
        AutomaticReplacement policy =
                view.targetSpec(cluster).map(s -> s.spec().replace()).orElse(null);
        ClusterRecord record = view.clusters().get(cluster);
        if (policy == null
                || record == null
                || record.deleting()
                || !Seeds.created(view, cluster)
                || OperationLock.isStopped(view, cluster)
                || isAtWork(view, cluster)
                || !mayAsk(view)
                || underWay(view) >= atOnce) {
            return Optional.empty();
        }
        Duration after = Duration.ofMinutes(policy.afterMinutes());
        return view.nodesOf(cluster).stream()
                .filter(n -> LostNode.of(view, n))
                .filter(n -> n.lostSince() != null
                        && !n.lostSince().plus(after).isAfter(view.now())
                        && !lastAsked(view, n.id()).plus(after).isAfter(view.now()))
                .filter(n -> LostNode.whyNotReplaced(view, n).isEmpty())
                .findFirst()
                .map(n -> new Due(params(n.id()), why(n, after)));
    }

    private static Map<String, String> params(NodeId node) {
        return Map.of(Selection.NODE, node.datacenter() + "/" + node.shortName());
    }

    private static String why(NodeRecord node, Duration after) {
        return node.allocation().machine() + " is lost since " + node.lostSince() + ", for more than "
                + Age.write(after);
    }

    /** Whoever asked for it. */
    private static boolean isAtWork(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.lockScope() == LockScope.MEND)
                .anyMatch(r -> OperationLock.unfinished(view, r, false).isPresent());
    }

    /** After one that was refused or ended it is asked again as long after it as after the loss. */
    private static Instant lastAsked(View view, NodeId node) {
        return OperationLock.known(view, node.cluster()).stream()
                .filter(r -> isAutomatic(r) && r.params().equals(params(node)))
                .map(Request::at)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /**
     * The servers of the datacenters ask by turns, by the clock, so that each knows what those before it asked for. While one is silent
     * nobody does.
     */
    private static boolean mayAsk(View view) {
        List<DatacenterName> all = Stream.concat(view.knownPeers().stream(), Stream.of(view.datacenter()))
                .distinct()
                .sorted()
                .toList();
        boolean heard = view.knownPeers().stream().allMatch(p -> view.silence(p).isEmpty());
        long window = view.now().getEpochSecond() / WINDOW.toSeconds();
        boolean turn =
                Math.floorMod(window, (long) WINDOWS * all.size()) == (long) WINDOWS * all.indexOf(view.datacenter());
        return all.size() == 1 || (heard && turn);
    }

    /** In all datacenters, as far as they have told. */
    private static long underWay(View view) {
        Stream<RequestRecord> told = view.peers().values().stream()
                .flatMap(s -> Stream.ofNullable(s.last()))
                .flatMap(r -> r.clusters().stream())
                .map(ClusterPart::requests)
                .flatMap(List::stream);
        return Stream.concat(view.requests().values().stream(), told)
                .filter(r -> isAutomatic(r.request()) && !r.part().state().isOver())
                .map(r -> r.request().id())
                .distinct()
                .count();
    }

    private static boolean isAutomatic(Request request) {
        return request.who().equals(WHO) && request.operation().equals(Replace.NAME);
    }
}
