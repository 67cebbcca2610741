package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.NodeRecord;

/**
 * Whether a node must be launched again, because its pool cannot resize a running allocation. The launch stops the
 * daemon, so the same checks apply as to a restart.
 */
public final class Relaunching {
    private Relaunching() {}

    /** Whether the allocation runs with other resources than decided, and the pool cannot resize it. */
    public static boolean isNeeded(View view, NodeRecord node) {
        AllocationState state = view.allocations().get(node.allocation().id());
        return !view.capabilities().resizesInPlace()
                && node.launched()
                && state != null
                && state.status() == AllocationState.Status.RUNNING
                && !state.resources().equals(node.allocation().resources());
    }
}
