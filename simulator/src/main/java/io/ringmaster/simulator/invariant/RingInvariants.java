package io.ringmaster.simulator.invariant;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.stream.Stream;

/** Whether the nodes of each cluster are in one ring. */
public final class RingInvariants {
    private final World world;

    public RingInvariants(World world) {
        this.world = world;
    }

    /** @throws Violation if members that serve and could reach each other are in different rings */
    public void check() {
        Stream<ClusterName> clusters = World.DATACENTERS.stream()
                .flatMap(d -> world.nodes(d).values().stream())
                .map(SimNode::cluster)
                .distinct();
        clusters.toList().forEach(c -> world.gossip().secondRing(c).ifPresent(what -> {
            throw new Violation("one-ring", what);
        }));
    }
}
