package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.NodeResources;

/**
 * Whether a node must be launched again, because its pool cannot resize a running allocation. The launch stops the
 * daemon, so the same checks apply as to a restart.
 */
public final class Relaunching {
    private Relaunching() {}

    /**
     * Whether the allocation runs with other resources than decided, or waits for others, and the pool cannot resize
     * it.
     */
    public static boolean isNeeded(View view, NodeRecord node) {
        AllocationState state = view.allocations().get(node.allocation().id());
        return !view.capabilities().resizesInPlace() && node.launched() && state != null && differs(state, node);
    }

    private static boolean differs(AllocationState state, NodeRecord node) {
        NodeResources decided = node.allocation().resources();
        return switch (state.status()) {
            case RUNNING -> !state.resources().equals(decided);
            case PENDING -> !state.allocation().resources().equals(decided);
            case RESERVED, LAUNCHING, UNREACHABLE, EXITED, FAILED, RELEASED -> false;
        };
    }
}
