package io.ringmaster.core.step;

import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.Creation;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Checks that every node here runs what its record says and sees every node of all datacenters NORMAL, with one
 * schema. When this holds for the first time, the cluster counts as created: every later node joins with bootstrap,
 * and only then do the nodes accept clients. So no row exists while a node may still join without bootstrap. A cluster
 * that is restored from a backup also waits until every datacenter has imported its data.
 */
public record VerifyRing(ClusterName cluster, long specVersion) implements Step {
    private static final Set<OperatingMode> STARTS =
            Set.of(OperatingMode.LAUNCHED, OperatingMode.STARTING, OperatingMode.JOINING);

    @Override
    public String name() {
        return "verify ring";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        List<NodeRecord> nodes = view.nodesOf(cluster);
        List<RingMember> expected = expected(view, nodes);
        Optional<String> unready = unready(view)
                .or(() -> Restoration.incomplete(view, cluster))
                .or(() -> Seeds.created(view, cluster) ? Optional.empty() : notJoined(view))
                .or(() -> nodes.stream()
                        .flatMap(n -> AvailabilityCheck.unsettled(view, n).or(() -> unseen(view, n, expected)).stream())
                        .findFirst())
                .or(() -> AvailabilityCheck.schemas(view, nodes));
        if (unready.isPresent()) {
            return new Verdict.Wait(unready.get());
        }
        List<Change> created = Creation.complete(view, cluster);
        if (!created.isEmpty()) {
            return new Verdict.Do(created, List.of(), "opens CQL on every node", memory);
        }
        return nodes.stream()
                .filter(n -> spec(view).opensCql() && Creation.awaits(view, n))
                .findFirst()
                .<Verdict>map(n -> new Verdict.Wait(n.id().shortName() + " has not opened CQL yet"))
                .orElseGet(() -> new Verdict.Done(
                        List.of(), "every node sees all " + expected.size() + " NORMAL, one schema version"));
    }

    /** A ring that was never complete may be declared complete once all of its nodes have joined. */
    @Override
    public Verdict forced(View view) {
        if (Seeds.created(view, cluster)) {
            return new Verdict.Done(List.of(), "declared done");
        }
        Optional<String> lacking = Restoration.incomplete(view, cluster);
        if (lacking.isPresent()) {
            return closed(
                    lacking.get(), "wait for it, or retry the plan there; or delete the cluster and restore it again");
        }
        return unready(view)
                .or(() -> notJoined(view))
                .map(reason -> closed(
                        "a node that joins during the first creation does not bootstrap, and would lack rows; "
                                + reason,
                        "wait until every node has joined; abort the deploy and apply the spec again, which places a"
                                + " node whose machine is lost elsewhere; or delete the cluster, which holds no rows"
                                + " yet"))
                .or(() -> underWay(view)
                        .map(reason -> closed(
                                reason + "; it would go down again after clients are admitted",
                                "wait until every node is NORMAL, then force-complete the step again")))
                .orElseGet(() -> new Verdict.Done(Creation.complete(view, cluster), "declared done"));
    }

    private static Verdict closed(String why, String nextStep) {
        return new Verdict.Failed(List.of(), Problem.of(ErrorCode.PLAN_STATE, "CQL stays closed: " + why, nextStep));
    }

    /** Why another datacenter does not take part in the creation now; empty once the cluster is created. */
    private Optional<String> unready(View view) {
        return Seeds.created(view, cluster)
                ? Optional.empty()
                : others(view)
                        .flatMap(d -> new SyncDatacenter(cluster, specVersion, d.name()).missing(view).stream())
                        .findFirst()
                        .or(() -> notGone(view));
    }

    /** A datacenter that the spec no longer names, whose nodes could still join without bootstrap. */
    private Optional<String> notGone(View view) {
        return view.peers().keySet().stream()
                .filter(dc -> spec(view).datacenter(dc).isEmpty())
                .flatMap(dc -> view.lastPart(dc, cluster).stream())
                .filter(part -> Seeds.isSame(view, part))
                .flatMap(part -> part.nodes().stream())
                .findFirst()
                .map(n -> n.node().datacenter() + " has " + n.node().shortName() + ", which could still join: name "
                        + n.node().datacenter() + " in the spec until the cluster is complete");
    }

    /** A node that starts, or is about to: it would be taken down again after the others admitted clients. */
    private Optional<String> underWay(View view) {
        Stream<String> here = view.nodesOf(cluster).stream()
                .filter(n -> view.status(n.id())
                        .filter(s -> s.mode() != OperatingMode.DOWN)
                        .isPresent())
                .flatMap(n -> AvailabilityCheck.unsettled(view, n).stream());
        Stream<String> elsewhere = parts(view)
                .filter(p -> STARTS.contains(p.mode()) || p.activity().equals(NodePart.APPLYING))
                .map(p -> p.node().datacenter() + " " + p.node().shortName() + " is "
                        + p.mode().with(p.activity()));
        return Stream.concat(here, elsewhere).findFirst();
    }

    /** Why a node here does not see every node of all datacenters NORMAL yet. */
    Optional<String> unseenBy(View view, NodeRecord node) {
        return notJoined(view).or(() -> unseen(view, node, expected(view, view.nodesOf(cluster))));
    }

    private Optional<String> notJoined(View view) {
        Set<NodeId> joined = Stream.concat(
                        view.nodesOf(cluster).stream()
                                .filter(NodeRecord::joined)
                                .map(NodeRecord::id),
                        parts(view).filter(NodePart::joined).map(NodePart::node))
                .collect(Collectors.toSet());
        return spec(view).datacenters().stream()
                .flatMap(d -> IntStream.range(0, d.nodes()).mapToObj(i -> new NodeId(cluster, d.name(), i)))
                .filter(node -> !joined.contains(node))
                .map(node -> node.datacenter() + " " + node.shortName() + " has not joined")
                .findFirst();
    }

    /** Every node that must be seen. */
    private List<RingMember> expected(View view, List<NodeRecord> nodes) {
        boolean created = Seeds.created(view, cluster);
        return Stream.concat(
                        nodes.stream().map(n -> RingMember.of(view, n)),
                        parts(view).filter(p -> !created || p.joined()).map(RingMember::of))
                .toList();
    }

    /** The nodes of the other datacenters, by their last reports. */
    private Stream<NodePart> parts(View view) {
        return others(view)
                .flatMap(d -> view.lastPart(d.name(), cluster).stream())
                .flatMap(p -> p.nodes().stream());
    }

    private Stream<DatacenterSpec> others(View view) {
        return spec(view).datacenters().stream().filter(d -> !d.name().equals(view.datacenter()));
    }

    private ClusterSpec spec(View view) {
        return view.spec(cluster, specVersion).orElseThrow().spec();
    }

    private static Optional<String> unseen(View view, NodeRecord node, List<RingMember> expected) {
        RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
        if (ring == null) {
            return Optional.of(node.id().shortName() + " has not reported its ring yet");
        }
        List<String> unseen = expected.stream()
                .filter(m -> !m.isNormalIn(ring))
                .map(RingMember::toString)
                .toList();
        return unseen.isEmpty()
                ? Optional.empty()
                : Optional.of(node.id().shortName() + " does not see NORMAL: " + String.join(", ", unseen));
    }
}
