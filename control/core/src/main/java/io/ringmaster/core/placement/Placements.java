package io.ringmaster.core.placement;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
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

    /** One problem per node without a machine now or later, with the reason of every machine. */
    public List<Problem> problems() {
        return nodes.stream()
                .filter(n -> n.chosen().isEmpty() && !n.onlyLater())
                .map(n -> n.rack() == null ? noneFits(n) : uneven(n, n.rack()))
                .toList();
    }

    /** The machines of other racks have room. */
    private static Problem uneven(NodePlacement placement, RackName full) {
        NodeId node = placement.node();
        return new Problem(
                ErrorCode.NO_MACHINE_FITS,
                "placement.racks",
                "no place for " + node + ": " + placement.why(),
                "free or add a machine in rack " + full + ", or set placement.racks: best_effort");
    }

    private static Problem noneFits(NodePlacement n) {
        return Problem.of(
                ErrorCode.NO_MACHINE_FITS,
                "no machine fits " + n.node() + ": "
                        + (n.rejected().isEmpty()
                                ? "the datacenter has none"
                                : n.rejected().stream().map(Object::toString).collect(Collectors.joining("; "))),
                next(n));
    }

    /** Kept volumes are the room that can be made at once. */
    private static Advice next(NodePlacement n) {
        Advice other = Advice.of(
                "free or add a machine, ask for less per node, or allow more nodes of the cluster per machine");
        return n.rejected().stream().anyMatch(r -> r.reason().contains(Placement.KEPT))
                ? Advice.command("volume discard DATACENTER/VOLUME")
                        .prefix("destroy kept volumes that nobody needs, ")
                        .and(" (", Advice.command("volume list"))
                        .and(" shows them), or ", other)
                : other;
    }
}
