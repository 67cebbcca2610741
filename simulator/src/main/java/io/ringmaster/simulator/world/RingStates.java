package io.ringmaster.simulator.world;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.simulator.ledger.RingState;
import io.ringmaster.simulator.ledger.RingState.Member;
import io.ringmaster.simulator.ledger.RingState.Status;
import java.util.List;

/** The rings of the world as the ledger sees them. */
final class RingStates {
    private RingStates() {}

    static RingState of(World world, ClusterName cluster) {
        List<Member> members = world.members(cluster)
                .map(n -> new Member(
                        n.replica(), status(n), world.nowMillis() - n.daemon().modeChangedMillis()))
                .toList();
        return world.nodesOf(cluster).stream()
                .filter(n -> n.daemon().joins() && n.daemon().bootstraps())
                .findFirst()
                .map(n -> new RingState(members, n.replica(), world.isPartitioned()))
                .orElseGet(() -> new RingState(members, null, world.isPartitioned()));
    }

    private static Status status(SimNode node) {
        if (node.replica().isDestroyed() || node.place().status() == AllocationState.Status.RELEASED) {
            return Status.GONE;
        }
        if (node.daemon().isSuspended()) {
            return Status.DOWN;
        }
        return switch (node.mode()) {
            case NORMAL -> node.executor().clientAccess() == ClientAccess.OPEN ? Status.SERVES : Status.CLOSED;
            case LEAVING, DECOMMISSION_FAILED -> Status.LEAVES;
            default -> Status.DOWN;
        };
    }
}
