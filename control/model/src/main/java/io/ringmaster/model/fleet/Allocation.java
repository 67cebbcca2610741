package io.ringmaster.model.fleet;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;

/**
 * A durable reservation on one machine for one node, as decided. It outlives the processes that run in it. The pool
 * chooses its address, which may change at every launch, and reports it in {@link AllocationState}.
 */
public record Allocation(AllocationId id, NodeId node, MachineName machine, NodePorts ports, NodeResources resources) {
    public Allocation withId(AllocationId other) {
        return new Allocation(other, node, machine, ports, resources);
    }

    public Allocation withResources(NodeResources other) {
        return new Allocation(id, node, machine, ports, other);
    }
}
