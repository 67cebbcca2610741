package io.ringmaster.core.step;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/** Where a node was before it was placed elsewhere. {@code Recovery} stops what runs there and keeps the volume. */
final class FormerAllocations {
    private FormerAllocations() {}

    /** Why nothing may be reserved or started at the present place of the node yet. */
    static Optional<String> inUse(View view, NodeRecord node) {
        return node.previousAllocations().stream()
                .filter(a -> runs(view, a) || isInTheWay(view, a, node.allocation()))
                .findFirst()
                .map(a -> "the former allocation " + a.id() + " on " + a.machine() + " is still in use");
    }

    /** Whether the node must wait for resources and ports of the same machine. */
    private static boolean isInTheWay(View view, Allocation former, Allocation place) {
        AllocationState state = view.allocations().get(former.id());
        return former.machine().equals(place.machine())
                && state != null
                && state.status() != AllocationState.Status.RELEASED;
    }

    private static boolean runs(View view, Allocation former) {
        AllocationState state = view.allocations().get(former.id());
        return state != null
                && !LostNode.isMachineAway(view, former)
                && (state.status() == AllocationState.Status.RUNNING
                        || state.status() == AllocationState.Status.LAUNCHING
                        || state.status() == AllocationState.Status.EXITED);
    }
}
