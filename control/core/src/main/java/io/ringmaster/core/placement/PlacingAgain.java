package io.ringmaster.core.placement;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Other places for nodes that were lost before the cluster was created. No place of a node that never joined matters
 * to anybody: it is placed as if it were new, and keeps its tokens, so that its former daemon cannot own others.
 *
 * @param records of the nodes at their new places
 * @param problems one for each node without a place
 */
public record PlacingAgain(List<NodeRecord> records, List<String> notes, List<Problem> problems) {
    public PlacingAgain {
        records = List.copyOf(records);
        notes = List.copyOf(notes);
        problems = List.copyOf(problems);
    }

    public static PlacingAgain of(View view, ClusterSpec spec, List<NodeRecord> nodes) {
        List<NodeRecord> lost =
                nodes.stream().filter(n -> LostNode.beforeCreation(view, n)).toList();
        Placements placements = Placement.place(
                without(view, lost),
                spec,
                lost.stream().map(n -> n.id().index()).toList());
        List<NodeRecord> records = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (NodePlacement placement : placements.nodes()) {
            NodeRecord node = Objects.requireNonNull(view.nodes().get(placement.node()), "a lost node has a record");
            placement.chosen().ifPresent(place -> {
                records.add(node.placedAgain(
                        Places.withFreshId(view, place),
                        Objects.requireNonNull(placement.rack(), "a node with a place has a rack")));
                notes.add(node.id().shortName() + " on " + place.machine() + ": it never joined, and "
                        + node.allocation().machine()
                        + " is lost; what still runs there is stopped when the machine is back");
            });
        }
        return new PlacingAgain(records, notes, problems(placements, lost));
    }

    private static List<Problem> problems(Placements placements, List<NodeRecord> lost) {
        return placements.problems().stream()
                .map(p -> new Problem(
                        p.code(),
                        p.field(),
                        lost.stream()
                                        .map(n -> n.id().shortName() + " never joined and its machine "
                                                + n.allocation().machine() + " is lost; ")
                                        .reduce("", String::concat)
                                + p.message(),
                        Objects.requireNonNull(p.nextStep(), "a refused place has a next step")
                                .suffix("; or bring the machine back, or apply a spec with fewer nodes")))
                .toList();
    }

    /** The view without these nodes, their allocations, and room on their machines. */
    private static View without(View view, List<NodeRecord> lost) {
        var nodes = view.nodes();
        var allocations = view.allocations();
        var machines = view.machines();
        for (NodeRecord node : lost) {
            Allocation former = node.allocation();
            nodes = nodes.minus(node.id());
            allocations = allocations.minus(former.id());
            Machine machine = machines.get(former.machine());
            machines = machine == null ? machines : machines.plus(machine.name(), machine.cordon());
        }
        return ViewBuilder.builder(view)
                .nodes(nodes)
                .allocations(allocations)
                .machines(machines)
                .build();
    }
}
