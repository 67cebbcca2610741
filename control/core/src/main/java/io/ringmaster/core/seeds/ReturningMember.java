package io.ringmaster.core.seeds;

import io.ringmaster.core.seeds.Seeds.Candidate;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The seeds of a member that starts again at another address. The others may have moved while it was down, and it would
 * start a ring of its own if it found nobody and were a seed for itself. So it must find a member that is up. Only
 * where none is known to be, the first member that runs is a seed: of the datacenters that report, in the first one.
 * Before the cluster was complete it serves no client, and the member waits for every datacenter to report: a silent
 * one may have members that have moved, too, so that the two would never find each other.
 *
 * @param created whether the cluster was once complete
 */
record ReturningMember(View view, ClusterSpec spec, NodeRecord node, boolean created) {
    private static final int SEEDS = 6;

    /** @param candidates the nodes of the cluster in all datacenters, whether or not they are members */
    SeedAnswer answer(List<Candidate> candidates) {
        List<Candidate> joined = candidates.stream()
                .filter(Candidate::joined)
                .sorted(Seeds.order(spec))
                .toList();
        Set<NodeId> up = up();
        List<String> seeds = joined.stream()
                .filter(c -> !c.node().equals(node.id()) && c.endpoint() != null)
                .sorted(Comparator.comparing(c -> !up.contains(c.node())))
                .limit(SEEDS)
                .flatMap(c -> Stream.ofNullable(c.endpoint()))
                .toList();
        Optional<NodeId> first =
                joined.stream().map(Candidate::node).filter(this::mayStartAlone).findFirst();
        boolean isFirst = first.filter(node.id()::equals).isPresent();
        return new SeedAnswer(up.isEmpty() && isFirst && (created || allReport()), seeds);
    }

    private boolean allReport() {
        return spec.datacenterNames().stream()
                .filter(dc -> !dc.equals(view.datacenter()))
                .allMatch(dc -> view.silence(dc).isEmpty());
    }

    /** The other members that are NORMAL. */
    private Set<NodeId> up() {
        Stream<NodeId> here = view.nodesOf(node.id().cluster()).stream()
                .map(NodeRecord::id)
                .filter(id -> view.status(id)
                        .map(NodeStatus::mode)
                        .filter(OperatingMode.NORMAL::equals)
                        .isPresent());
        Stream<NodeId> elsewhere = view.peers().keySet().stream()
                .filter(peer -> view.silence(peer).isEmpty())
                .flatMap(peer -> view.lastPart(peer, node.id().cluster()).stream())
                .flatMap(part -> part.nodes().stream())
                .filter(n -> n.joined() && n.mode() == OperatingMode.NORMAL)
                .map(n -> n.node());
        return Stream.concat(here, elsewhere)
                .filter(id -> !id.equals(node.id()))
                .collect(Collectors.toSet());
    }

    /** A node here that the pool runs, or any node of another datacenter that stays and reports. */
    private boolean mayStartAlone(NodeId id) {
        NodeRecord here = view.nodes().get(id);
        if (here == null) {
            return spec.datacenter(id.datacenter()).isPresent()
                    && view.silence(id.datacenter()).isEmpty();
        }
        AllocationState state = view.allocations().get(here.allocation().id());
        return state != null && state.status() == AllocationState.Status.RUNNING;
    }
}
