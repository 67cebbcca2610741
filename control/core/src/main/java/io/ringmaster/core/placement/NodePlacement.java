package io.ringmaster.core.placement;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The machine chosen for one node, and why the others were not.
 *
 * @param allocation the allocation to reserve, or null if no machine fits
 * @param rack the rack of the chosen machine; without one, the full rack that must hold the node for the racks to stay
 *     even, or null if no machine of any rack fits
 * @param why one line for people: why this machine, or that none fits
 * @param rejected each machine that was not chosen, with the reason, in name order
 * @param onlyLater whether no machine can be used now, but one can when the time that {@code why} names is over
 */
public record NodePlacement(
        NodeId node,
        @Nullable Allocation allocation,
        @Nullable RackName rack,
        String why,
        List<Rejection> rejected,
        boolean onlyLater) {
    public NodePlacement {
        rejected = List.copyOf(rejected);
    }

    public NodePlacement(
            NodeId node,
            @Nullable Allocation allocation,
            @Nullable RackName rack,
            String why,
            List<Rejection> rejected) {
        this(node, allocation, rack, why, rejected, false);
    }

    public Optional<Allocation> chosen() {
        return Optional.ofNullable(allocation);
    }

    /** {@code machine-2: memory: needs 1 GiB, 512 MiB free}. */
    public record Rejection(MachineName machine, String reason) {
        @Override
        public String toString() {
            return machine + ": " + reason;
        }
    }
}
