package io.ringmaster.core.step;

import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.Creation;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks that every node here runs what its record says and sees every node of all datacenters NORMAL, with one
 * schema. When this holds for the first time, the cluster counts as created: every later node joins with bootstrap,
 * and only then do the nodes accept clients. So no row exists while a node may still join without bootstrap.
 */
public record VerifyRing(ClusterName cluster, long specVersion) implements Step {
    @Override
    public String name() {
        return "verify ring";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        List<NodeRecord> nodes = view.nodesOf(cluster);
        List<RingMember> expected = new ArrayList<>();
        Optional<String> missing = collect(view, nodes, expected);
        if (missing.isPresent()) {
            return new Verdict.Wait(missing.get());
        }
        for (NodeRecord node : nodes) {
            Optional<String> reason = AvailabilityCheck.unsettled(view, node).or(() -> unseen(view, node, expected));
            if (reason.isPresent()) {
                return new Verdict.Wait(reason.get());
            }
        }
        Optional<String> schemas = AvailabilityCheck.schemas(view, nodes);
        if (schemas.isPresent()) {
            return new Verdict.Wait(schemas.get());
        }
        List<Change> created = Creation.complete(view, cluster);
        if (!created.isEmpty()) {
            return new Verdict.Do(created, List.of(), "opens the nodes to clients", memory);
        }
        return closed(view, nodes)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(
                        List.of(), "every node sees all " + expected.size() + " NORMAL, one schema version"));
    }

    /** A ring that was never complete may be declared complete once all of its nodes have joined. */
    @Override
    public Verdict forced(View view) {
        if (Seeds.created(view, cluster)) {
            return new Verdict.Done(List.of(), "declared done");
        }
        return notJoined(view)
                .<Verdict>map(reason -> new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                reason + ": it would join without the rows that clients write from now on",
                                "wait until it has joined, or delete the cluster, which holds no data yet")))
                .orElseGet(() -> new Verdict.Done(Creation.complete(view, cluster), "declared done"));
    }

    private Optional<String> notJoined(View view) {
        ClusterSpec spec = view.spec(cluster, specVersion).orElseThrow().spec();
        for (DatacenterSpec datacenter : spec.datacenters()) {
            List<NodeId> joined = datacenter.name().equals(view.datacenter())
                    ? view.nodesOf(cluster).stream()
                            .filter(NodeRecord::joined)
                            .map(NodeRecord::id)
                            .toList()
                    : view.lastPart(datacenter.name(), cluster).stream()
                            .flatMap(p -> p.nodes().stream())
                            .filter(NodePart::joined)
                            .map(NodePart::node)
                            .toList();
            Optional<String> missing = IntStream.range(0, datacenter.nodes())
                    .mapToObj(index -> new NodeId(cluster, datacenter.name(), index))
                    .filter(node -> !joined.contains(node))
                    .map(node -> node.datacenter() + " " + node.shortName() + " has not joined")
                    .findFirst();
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    /** A node that does not accept clients, although its spec does not close it. */
    private Optional<String> closed(View view, List<NodeRecord> nodes) {
        boolean wanted = view.spec(cluster, specVersion)
                .map(s -> !Boolean.FALSE.equals(s.spec().cassandraYaml().get("start_native_transport")))
                .orElse(true);
        return nodes.stream()
                .filter(n -> wanted
                        && view.status(n.id())
                                .map(NodeStatus::ring)
                                .map(RingView::openToClients)
                                .filter(open -> !open)
                                .isPresent())
                .map(n -> n.id().shortName() + " is closed to clients")
                .findFirst();
    }

    /**
     * Adds every node that must be seen. Returns the reason if a datacenter has not reported all of its nodes.
     */
    private Optional<String> collect(View view, List<NodeRecord> nodes, List<RingMember> expected) {
        boolean created = Seeds.created(view, cluster);
        ClusterSpec spec = view.spec(cluster, specVersion).orElseThrow().spec();
        nodes.forEach(n -> expected.add(RingMember.of(view, n)));
        for (DatacenterSpec datacenter : spec.datacenters()) {
            DatacenterName name = datacenter.name();
            if (name.equals(view.datacenter())) {
                continue;
            }
            List<NodePart> parts =
                    view.lastPart(name, cluster).map(p -> p.nodes()).orElse(List.of());
            if (!created && parts.size() < datacenter.nodes()) {
                return Optional.of(name + " has reported " + parts.size() + " of " + datacenter.nodes() + " nodes");
            }
            parts.stream().filter(p -> !created || p.joined()).forEach(p -> expected.add(RingMember.of(p)));
        }
        return Optional.empty();
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
