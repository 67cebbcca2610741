package io.ringmaster.model.fact;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import java.util.List;

/** An observation. Facts may arrive late, twice or out of order; each carries the whole state of its subject. */
public sealed interface Fact {

    /**
     * All machines and allocations of the pool; sent at the start, at each change and periodically. An allocation that
     * is absent does not exist.
     */
    record PoolSeen(List<Machine> machines, List<AllocationState> allocations) implements Fact {
        public PoolSeen {
            machines = List.copyOf(machines);
            allocations = List.copyOf(allocations);
        }
    }

    /** The pool does not answer now. */
    record PoolUnavailable(String reason) implements Fact {}

    /** One allocation changed. */
    record AllocationChanged(AllocationState state) implements Fact {}

    /** An allocation no longer exists, nor does its volume. */
    record AllocationGone(AllocationId allocation) implements Fact {}

    /** An executor answered. */
    record NodeReported(NodeStatus status) implements Fact {}

    /** An executor does not answer. */
    record NodeSilent(NodeId node, String reason) implements Fact {}

    /** A peer datacenter answered. */
    record PeerReported(DatacenterReport report) implements Fact {}

    /** A peer datacenter does not answer. */
    record PeerSilent(DatacenterName datacenter, String reason) implements Fact {}
}
