package io.ringmaster.core.decide;

import io.ringmaster.core.lint.PlanImpacts;
import io.ringmaster.core.spec.SpecDiff;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanImpact;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.Size;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A fleet, a request and its plan as text for people who review plans. */
final class PlanText {
    private final StringBuilder text = new StringBuilder();

    /** The machines here, the spec, the nodes of all its datacenters, and the user keyspaces. */
    void fleet(View view, ClusterName cluster) {
        line("fleet");
        Map<String, List<String>> racks = view.machines().values().stream()
                .collect(Collectors.groupingBy(
                        m -> m.rack().value(),
                        TreeMap::new,
                        Collectors.mapping(m -> m.name().value(), Collectors.toList())));
        racks.forEach((rack, machines) ->
                line("  " + view.datacenter() + " rack " + rack + ": " + String.join(", ", machines)));
        view.machines().values().stream().findFirst().map(PlanText::size).ifPresent(s -> line("  each machine: " + s));
        view.targetSpec(cluster)
                .ifPresent(s -> line("  " + cluster + " version " + s.version() + ": " + datacenters(s.spec())));
        view.nodesOf(cluster).forEach(n -> line("  " + node(view, n)));
        view.allocations().values().stream()
                .map(AllocationState::allocation)
                .filter(a -> !view.nodes().containsKey(a.node()))
                .forEach(a -> line("  other allocation " + a.id() + " on " + a.machine() + ": "
                        + Size.text(a.resources().memoryBytes()) + " memory"));
        view.peers().keySet().forEach(peer -> remote(view, peer, cluster));
        List<DatacenterName> datacenters =
                view.targetSpec(cluster).map(s -> s.spec().datacenterNames()).orElse(List.of());
        view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.keyspaces().stream())
                .distinct()
                .forEach(k -> line("  keyspace " + k.name() + ": " + replicas(k, datacenters)));
    }

    private void remote(View view, DatacenterName peer, ClusterName cluster) {
        view.lastPart(peer, cluster)
                .ifPresent(p -> line("  " + peer + " reports "
                        + p.nodes().stream().map(PlanText::remoteNode).collect(Collectors.joining(", "))));
    }

    private static String remoteNode(NodePart node) {
        return node.node().shortName() + " " + node.mode() + (node.joined() ? "" : " not joined");
    }

    private static String size(Machine machine) {
        return machine.cpuMillis() / 1000.0 + " cores, " + Size.text(machine.memoryBytes()) + " memory, "
                + Size.text(machine.diskBytes()) + " disk";
    }

    private static String datacenters(ClusterSpec spec) {
        return spec.datacenters().stream().map(PlanText::part).collect(Collectors.joining(", "));
    }

    private static String part(DatacenterSpec datacenter) {
        return datacenter.nodes() + (datacenter.nodes() == 1 ? " node in " : " nodes in ") + datacenter.name();
    }

    private static String node(View view, NodeRecord node) {
        Optional<NodeStatus> status = view.status(node.id());
        return view.datacenter() + " " + node.id().shortName() + " on "
                + node.allocation().machine() + ": "
                + status.map(s -> s.mode().name()).orElse("no report")
                + (node.run() ? "" : ", stopped")
                + status.map(NodeStatus::ring)
                        .map(r -> ", " + Size.text(r.loadBytes()))
                        .orElse("");
    }

    private static String replicas(RingView.KeyspaceSeen keyspace, List<DatacenterName> datacenters) {
        return datacenters.stream()
                .filter(d -> keyspace.replicas().containsKey(d.value()))
                .map(d -> replicas(keyspace.replicas().get(d.value())) + " in " + d)
                .collect(Collectors.joining(", "));
    }

    private static String replicas(int count) {
        return count + (count == 1 ? " replica" : " replicas");
    }

    /** The spec that is applied: its differences from the target spec, or all of it if there is none. */
    void apply(View view, ClusterSpec spec) {
        line("");
        line("request");
        Optional<ClusterSpec> before = view.targetSpec(spec.name()).map(SpecRecord::spec);
        line("  apply " + spec.name() + ": " + datacenters(spec));
        before.ifPresent(b ->
                SpecDiff.between(b, spec).changes().forEach(c -> line("    " + c.line() + " (" + c.effect() + ")")));
    }

    void request(String operation, Map<String, String> params) {
        line("");
        line("request");
        line("  " + operation
                + new TreeMap<>(params)
                        .entrySet().stream()
                                .map(e -> " " + e.getKey() + "=" + e.getValue())
                                .collect(Collectors.joining()));
    }

    void refusal(List<Problem> problems) {
        line("");
        line("refused");
        problems.forEach(p -> line("  " + p.code() + " " + p.line()));
    }

    void plan(Plan plan, List<Change> changes) {
        line("");
        line("plan " + plan.id() + ", " + plan.operation() + " at version " + plan.specVersion());
        for (Phase phase : plan.phases()) {
            line("  " + phase.name() + " (" + phase.strategy().name().toLowerCase(Locale.ROOT) + ")");
            for (StepState step : phase.steps()) {
                line("    " + step.name() + (step.reason() == null ? "" : ": " + step.reason()));
            }
        }
        List<String> stored =
                changes.stream().map(PlanText::stored).flatMap(Optional::stream).toList();
        if (!stored.isEmpty()) {
            line("");
            line("stored with the plan");
            stored.forEach(s -> line("  " + s));
        }
        if (!plan.notes().isEmpty()) {
            line("");
            line("notes");
        }
        plan.notes().forEach(n -> line("  - " + n));
        impact(PlanImpacts.of(List.of(plan)));
    }

    private void impact(PlanImpact impact) {
        line("");
        line("impact");
        line("  stops " + nodes(impact.stops())
                + (impact.stops().isEmpty() ? "" : ", " + impact.mostAtOnce() + " at once"));
        if (!impact.leaves().isEmpty()) {
            line("  removes " + nodes(impact.leaves()) + " from the ring");
        }
        if (!impact.destroysVolumes().isEmpty()) {
            line("  destroys the volumes of " + nodes(impact.destroysVolumes()));
        }
        impact.cannotBeUndone().forEach(s -> line("  cannot be undone: " + s));
    }

    private static String nodes(List<NodeId> nodes) {
        return nodes.isEmpty()
                ? "no node"
                : nodes.stream().map(NodeId::shortName).collect(Collectors.joining(", "));
    }

    /** Empty for records that every plan has: the plan itself, its request or its spec. */
    private static Optional<String> stored(Change change) {
        if (change instanceof Change.Put put && put.record() instanceof NodeRecord node) {
            return Optional.of(
                    node.id().shortName() + " on " + node.allocation().machine() + " in rack " + node.rack()
                            + ", ports " + node.allocation().ports().all() + ", volume "
                            + node.allocation().id() + ", token " + String.join(", ", node.tokens())
                            + (node.needsCleanup() ? ", needs cleanup" : "")
                            + (node.owesRepair() ? ", needs repair" : ""));
        }
        if (change instanceof Change.Put put && put.record() instanceof CordonRecord cordon) {
            return Optional.of("cordon of " + cordon.machine() + ": " + cordon.reason());
        }
        if (change instanceof Change.Put put && put.record() instanceof ClusterRecord cluster) {
            return Optional.of("cluster " + cluster.name() + ", target version " + cluster.targetSpecVersion()
                    + (cluster.created() ? ", created" : ", not created") + (cluster.deleting() ? ", deleting" : "")
                    + (cluster.destroyData() ? ", volumes are destroyed" : ""));
        }
        return Optional.empty();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
