package io.ringmaster.core.placement;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** The decision for each node to place, in index order. */
public record Placements(List<NodePlacement> nodes) {
    public Placements {
        nodes = List.copyOf(nodes);
    }

    /** Whether every node found a machine. */
    public boolean complete() {
        return nodes.stream().allMatch(n -> n.chosen().isPresent());
    }

    /** One problem per node without a machine, with the reason of every machine. */
    public List<Problem> problems() {
        return nodes.stream()
                .filter(n -> n.chosen().isEmpty())
                .map(n -> Problem.of(
                        ErrorCode.NO_MACHINE_FITS,
                        "no machine fits " + n.node() + ": "
                                + (n.rejected().isEmpty()
                                        ? "the datacenter has none"
                                        : n.rejected().stream()
                                                .map(Object::toString)
                                                .collect(Collectors.joining("; "))),
                        "free or add a machine, ask for less per node, or allow more nodes of the cluster per machine"))
                .toList();
    }
}
