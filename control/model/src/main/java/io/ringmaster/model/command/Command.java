package io.ringmaster.model.command;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;

/** A request to the outside. The result arrives as a fact; until then the same command may be sent again. */
public sealed interface Command {

    /** To the pool: reserve the machine and create the volume. */
    record Reserve(Allocation allocation) implements Command {}

    /**
     * To the pool: fetch the binaries and start the executor in its allocation with this first target. An executor that
     * already runs is adopted and left alone.
     */
    record Launch(Allocation allocation, NodeTarget target) implements Command {}

    /** To the pool: stop the executor and the daemon. The daemon gets time to drain and is then killed. */
    record Kill(AllocationId allocation) implements Command {}

    /** To the pool: release the allocation. {@code destroyVolume} only when a user explicitly requested it. */
    record Release(AllocationId allocation, boolean destroyVolume) implements Command {}

    /** To the executor: apply this target. */
    record Apply(Allocation allocation, NodeTarget target) implements Command {}

    /**
     * To the executor client: report this node from now on. After a start it is sent for every node that should exist.
     */
    record Watch(NodeId node, Allocation allocation) implements Command {}

    /** To the executor client: stop reporting this node. */
    record Forget(NodeId node) implements Command {}
}
