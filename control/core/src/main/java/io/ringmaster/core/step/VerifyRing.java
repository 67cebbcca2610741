package io.ringmaster.core.step;

import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that every node here runs what its record says and sees every node of all datacenters NORMAL, with one
 * schema. When this holds for the first time, the cluster counts as created, and every later node joins with
 * bootstrap.
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
        return AvailabilityCheck.schemas(view, nodes)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(
                        created(view, nodes),
                        "every node sees all " + expected.size() + " NORMAL, one schema version"));
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

    /** A new generation informs the executors that the first creation is over. */
    private List<Change> created(View view, List<NodeRecord> nodes) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.created()) {
            return List.of();
        }
        Stream<NodeRecord> informed = nodes.stream().map(n -> n.decide(n.specVersion()));
        return Stream.concat(Stream.of(record.withCreated(true)), informed)
                .<Change>map(Change.Put::new)
                .toList();
    }
}
