package io.ringmaster.server.read;

import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.core.status.LocalClusterStatus.DatacenterLine;
import io.ringmaster.core.status.LocalClusterStatus.NodeLine;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.RingNode;
import io.ringmaster.wire.client.Scope;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tokens of clusters: this datacenter's from the records, the others from their servers. */
public final class Rings {
    private final FleetReader fleet;

    public Rings(FleetReader fleet) {
        this.fleet = fleet;
    }

    /** @param here the cluster's local status, from the same view */
    public FleetList<RingNode> of(View view, LocalClusterStatus here, Scope scope) {
        List<DatacenterName> others = here.datacenters().stream()
                .filter(d -> !d.local() && scope == Scope.FLEET)
                .map(DatacenterLine::name)
                .toList();
        var asked = fleet.ask(
                view, others, peer -> peer.ring(here.cluster(), Scope.LOCAL).items());
        var all = Stream.concat(
                        own(view, here), asked.answers().values().stream().flatMap(List::stream))
                .sorted(Comparator.comparing(RingNode::node))
                .toList();
        return new FleetList<>(all, asked.unanswered());
    }

    private static Stream<RingNode> own(View view, LocalClusterStatus here) {
        Set<NodeId> leaving = leaving(view, here);
        return here.datacenters().stream()
                .filter(DatacenterLine::local)
                .flatMap(d -> d.nodes().stream())
                .flatMap(line -> Optional.ofNullable(view.nodes().get(line.node()))
                        .filter(record -> !record.tokens().isEmpty())
                        .map(record -> node(line, record, leaving))
                        .stream());
    }

    private static RingNode node(NodeLine line, NodeRecord record, Set<NodeId> leaving) {
        return new RingNode(
                record.id(),
                record.rack(),
                line.mode(),
                record.joined(),
                record.leaving() || leaving.contains(record.id()),
                record.tokens().stream()
                        .sorted(Comparator.comparing(BigInteger::new))
                        .toList());
    }

    /** The nodes that an unfinished plan still has to remove or to replace. */
    private static Set<NodeId> leaving(View view, LocalClusterStatus here) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(here.cluster()) && !p.status().isOver())
                .flatMap(p -> p.phases().stream())
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver() && removes(s))
                .flatMap(s -> s.node().stream())
                .collect(Collectors.toSet());
    }

    private static boolean removes(StepState step) {
        return Stream.of(LeaveRing.class, ReleaseNode.class, ReplaceNode.class, EvacuateNode.class)
                .anyMatch(type -> Steps.is(step, type));
    }
}
