package io.ringmaster.simulator.world;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTarget;

/** Called before something happens in the world that an invariant judges. The default is to accept everything. */
public interface WorldListener {
    /** Clients can connect to the node from now on. */
    default void opened(SimNode node) {}

    /** A node without data is about to join. */
    default void joining(SimNode node, NodeTarget target, SeedAnswer answer) {}

    /** A plan takes a serving node down. */
    default void takenDown(SimNode node) {}

    /** A plan lets a member hand its ranges over, or removes a dead member from the ring. */
    default void leaving(SimNode node) {}

    /** A daemon is about to serve from the volume of a member. */
    default void returning(SimNode node) {}

    default void repairing(SimNode node) {}

    /** A target changes whether the node talks to others by TLS. */
    default void changesTls(SimNode node) {}

    /** The datacenter is about to drop its replicas of the keyspace. */
    default void droppingReplicas(ClusterName cluster, String keyspace, DatacenterName datacenter) {}
}
