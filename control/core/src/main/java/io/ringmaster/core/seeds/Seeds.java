package io.ringmaster.core.seeds;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the seeds that each node gets. Designated seeds are the nodes with the lowest indexes of each datacenter,
 * ordered by datacenter as in the spec, then by index.
 *
 * <p>Before a new cluster has a member, a designated seed gets the seeds before it, and every other node gets all
 * seeds. Once it has one, or was complete, a node that never joined is never a seed: it would start a second ring if
 * all seeds are down, and join without its data, because a seed skips bootstrap. Such a node also gets members that are
 * not seeds, because it may be the only seed that is rebuilt, or the other seeds may be dead too. Where no designated
 * seed has joined, the first member acts as one: members that are all down start only if one of them is a seed.
 *
 * <p>Before the cluster was complete, two datacenters that cannot reach each other may start a ring each. They become
 * one later only if a node of either looks for one of the other. So no node is answered before the nodes of every
 * datacenter are known, and each looks for the seeds that have not joined, too.
 */
public final class Seeds {
    /** The number of further members that a joining node gets: as many as clusters usually have racks. */
    private static final int FURTHER_MEMBERS = 3;

    private Seeds() {}

    /** @param endpoint {@code address:storage_port}; null while no other node may use it */
    public record Candidate(NodeId node, @Nullable String endpoint, boolean joined) {}

    /**
     * The answer for a node of this datacenter. No node may start a ring before the pool has reported: the addresses of
     * nodes that have not joined are not known until then.
     *
     * @return empty if the cluster or the node is not known here
     */
    public static Optional<SeedAnswer> answer(View view, NodeId asking) {
        if (!view.nodes().containsKey(asking)) {
            return Optional.empty();
        }
        boolean created = created(view, asking.cluster());
        return view.targetSpec(asking.cluster()).map(SpecRecord::spec).map(spec -> {
            List<Candidate> candidates = candidates(view, asking.cluster());
            List<Candidate> members = withVolume(view, candidates);
            NodeRecord node = view.nodes().get(asking);
            if (node != null && node.joined() && !view.capabilities().fixedAddress()) {
                return new ReturningMember(view, spec, node, created).answer(members);
            }
            Optional<SeedAnswer> unreported = unreported(spec, created, candidates);
            if (unreported.isPresent()) {
                return unreported.get();
            }
            if (hasRing(created, members)) {
                return ofRing(spec, created, members, asking);
            }
            return view.poolSeen()
                    ? first(spec, candidates, asking, view.capabilities().fixedAddress())
                    : SeedAnswer.noneYet(view.poolUnseen());
        });
    }

    /** @param candidates every placed node of the cluster, all datacenters */
    public static SeedAnswer answer(ClusterSpec spec, boolean created, List<Candidate> candidates, NodeId asking) {
        return unreported(spec, created, candidates)
                .orElseGet(() -> hasRing(created, candidates)
                        ? ofRing(spec, created, candidates, asking)
                        : first(spec, candidates, asking, true));
    }

    /**
     * The answer for a node of a new cluster while a datacenter is silent since this server leads, or has placed no
     * node.
     */
    private static Optional<SeedAnswer> unreported(ClusterSpec spec, boolean created, List<Candidate> candidates) {
        return spec.datacenterNames().stream()
                .filter(dc -> !created
                        && candidates.stream()
                                .noneMatch(c -> c.node().datacenter().equals(dc)))
                .findFirst()
                .map(dc -> SeedAnswer.noneYet(dc + " has not reported its nodes"));
    }

    private static boolean hasRing(boolean created, List<Candidate> candidates) {
        return created || candidates.stream().anyMatch(Candidate::joined);
    }

    private static SeedAnswer ofRing(ClusterSpec spec, boolean created, List<Candidate> candidates, NodeId asking) {
        List<Candidate> designated = acting(spec, candidates);
        boolean joined =
                candidates.stream().anyMatch(c -> c.joined() && c.node().equals(asking));
        Stream<Candidate> further = candidates.stream()
                .filter(c -> !joined && c.joined() && !designated.contains(c))
                .sorted(order(spec))
                .limit(FURTHER_MEMBERS);
        Stream<Candidate> yetToJoin = designated(spec, candidates).stream().filter(c -> !created && !c.joined());
        return new SeedAnswer(
                designated.stream().anyMatch(c -> c.node().equals(asking)),
                endpoints(Stream.of(designated.stream(), further, yetToJoin).flatMap(s -> s), asking));
    }

    /**
     * The answer while no member is known. Only the first seed starts the ring. A node with a changing address is not a
     * seed of its own, so that it fails and asks again if it finds no ring. Where the first seed has a changing
     * address, which is not known before it has joined, all others wait for it: at addresses that change, they could
     * form a second ring.
     *
     * @param fixedAddress whether the asking node has the same address at every launch
     */
    static SeedAnswer first(ClusterSpec spec, List<Candidate> candidates, NodeId asking, boolean fixedAddress) {
        List<Candidate> designated = designated(spec, candidates);
        int own = designated.stream().map(Candidate::node).toList().indexOf(asking);
        if (own == 0) {
            return new SeedAnswer(true, List.of());
        }
        List<Candidate> before = designated.subList(0, own < 0 ? designated.size() : own);
        return before.stream().findFirst().filter(c -> c.endpoint() != null).isPresent()
                ? new SeedAnswer(own > 0 && fixedAddress, endpoints(before.stream(), asking))
                : SeedAnswer.noneYet("the address of the first seed is not known yet");
    }

    /** The designated seeds that have joined, or the first member. */
    private static List<Candidate> acting(ClusterSpec spec, List<Candidate> candidates) {
        List<Candidate> designated =
                designated(spec, candidates).stream().filter(Candidate::joined).toList();
        return designated.isEmpty()
                ? candidates.stream().filter(Candidate::joined).min(order(spec)).stream()
                        .toList()
                : designated;
    }

    private static List<Candidate> designated(ClusterSpec spec, List<Candidate> candidates) {
        return candidates.stream()
                .filter(c -> isDesignated(spec, c.node()))
                .sorted(order(spec))
                .toList();
    }

    private static List<String> endpoints(Stream<Candidate> of, NodeId asking) {
        return of.filter(c -> !c.node().equals(asking))
                .flatMap(c -> Stream.ofNullable(c.endpoint()))
                .toList();
    }

    /** Whether the spec makes this node a seed. */
    public static boolean isDesignated(ClusterSpec spec, NodeId node) {
        return spec.datacenter(node.datacenter())
                .map(DatacenterSpec::seeds)
                .map(seeds -> node.index() < seeds)
                .orElse(false);
    }

    /** Whether any datacenter reports that the cluster was once complete. */
    public static boolean created(View view, ClusterName cluster) {
        return !completeIn(view, cluster).isEmpty();
    }

    /** The datacenters that report that the cluster was once complete there: the others may lack its data. */
    public static Set<DatacenterName> completeIn(View view, ClusterName cluster) {
        Set<DatacenterName> complete = new TreeSet<>();
        ClusterRecord here = view.clusters().get(cluster);
        if (here != null && here.created()) {
            complete.add(view.datacenter());
        }
        reports(view)
                .filter(r -> r.clusters().stream()
                        .anyMatch(c -> c.cluster().equals(cluster) && c.created() && isSame(view, c)))
                .forEach(r -> complete.add(r.datacenter()));
        return complete;
    }

    /** Whether the cluster was complete before this datacenter was part of it: its data must still be streamed here. */
    public static boolean lacksData(View view, ClusterName cluster) {
        ClusterRecord here = view.clusters().get(cluster);
        return (here == null || !(here.created() || here.founder())) && created(view, cluster);
    }

    /** False for another cluster that has the same name in another datacenter: their rings must never meet. */
    public static boolean isSame(View view, ClusterPart part) {
        return view.targetSpec(part.cluster())
                .map(own -> own.isSameCluster(part.spec()))
                .orElse(true);
    }

    private static List<Candidate> candidates(View view, ClusterName cluster) {
        Map<NodeId, Candidate> all = new TreeMap<>();
        reports(view)
                .flatMap(r -> r.clusters().stream())
                .filter(c -> c.cluster().equals(cluster) && isSame(view, c))
                .flatMap(c -> c.nodes().stream())
                .forEach(n -> all.put(n.node(), new Candidate(n.node(), n.storageEndpoint(), n.joined())));
        view.nodesOf(cluster).stream()
                .filter(n -> !n.leaving())
                .forEach(n -> all.put(
                        n.id(),
                        new Candidate(n.id(), Endpoints.forOthers(view, n).orElse(null), n.joined())));
        return List.copyOf(all.values());
    }

    /** Without the nodes here whose volume is lost: nobody finds them, and they start no more. */
    private static List<Candidate> withVolume(View view, List<Candidate> candidates) {
        return candidates.stream().filter(c -> !isLost(view, c.node())).toList();
    }

    private static boolean isLost(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        return record != null
                && record.joined()
                && view.poolSeen()
                && !view.allocations().containsKey(record.allocation().id());
    }

    private static Stream<DatacenterReport> reports(View view) {
        return view.peers().values().stream().map(s -> s.last()).filter(Objects::nonNull);
    }

    static Comparator<Candidate> order(ClusterSpec spec) {
        return Comparator.comparingInt(
                        (Candidate c) -> spec.datacenterNames().indexOf(c.node().datacenter()))
                .thenComparingInt(c -> c.node().index());
    }
}
