package io.ringmaster.model.command;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;

/** Something asked of the outside. The answer comes as a fact; until then the same command may be sent again. */
public sealed interface Command {

    /** To the pool: claim the machine, make the volume. */
    record Reserve(Allocation allocation) implements Command {}

    /**
     * To the pool: bring the binaries, start the executor in its allocation with this first target. An executor that runs
     * already is adopted and left alone.
     */
    record Launch(Allocation allocation, NodeTarget target) implements Command {}

    /** To the pool: end the executor and the daemon. The daemon gets time to drain and is then killed. */
    record Kill(AllocationId allocation) implements Command {}

    /** To the pool: give the claim back. {@code destroyVolume} only when a user asked for it in so many words. */
    record Release(AllocationId allocation, boolean destroyVolume) implements Command {}

    /** To the executor: make this true. */
    record Apply(Allocation allocation, NodeTarget target) implements Command {}

    /** To the node agent: report this node from now on (after a start, every node that should be there). */
    record Watch(NodeId node, Allocation allocation) implements Command {}

    /** To the node agent: nothing more of this node. */
    record Forget(NodeId node) implements Command {}
}
