package io.ringmaster.simulator.world;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.DatacenterName;

/** Called before a pool does something that an invariant judges. The default is to accept everything. */
public interface PoolListener {
    /** The server commands the pool. */
    default void commanding(DatacenterName datacenter, int server, String what) {}

    /** The pool carries out a command of the leader of this epoch. */
    default void carryingOut(DatacenterName datacenter, long epoch, String what) {}

    /** An allocation that does not exist is about to be made. */
    default void reserving(DatacenterName datacenter, Allocation wanted) {}

    /** An existing allocation is reserved for another node. */
    default void reservedForOther(Allocation existing, Allocation wanted) {}

    /** An allocation that was released, and whose volume was kept, is reserved again. */
    default void reservingKept(SimNode volume) {}

    /** What runs in the allocation is about to end, to be launched again. */
    default void relaunching(SimNode node, long generation) {}

    /** The last launch of the allocation failed. */
    default void launchFailed(SimNode node) {}

    default void destroyingVolume(SimNode node) {}
}
