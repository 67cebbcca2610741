package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.world.MachinePark;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;

/**
 * An operator who allows two nodes on a machine where the rack of a machine that never returns has no other one for a
 * replacement, which keeps its rack.
 */
final class RoomForReplacements {
    private final World world;
    private final Datacenters datacenters;
    private final UserRequests requests;

    RoomForReplacements(World world, Datacenters datacenters, UserRequests requests) {
        this.world = world;
        this.datacenters = datacenters;
        this.requests = requests;
    }

    void make(ClusterName cluster) {
        boolean lacks = world.removedNodes().deadMembers(cluster).stream().anyMatch(this::lacksMachine);
        boolean narrow = datacenters.all().stream()
                .flatMap(d -> d.leaderView().stream())
                .flatMap(v -> ClusterViews.spec(v, cluster).stream())
                .anyMatch(s -> s.placement().nodesPerMachine() == 1);
        if (lacks && narrow) {
            requests.change(cluster, RandomSpecs::withTwoNodesPerMachine);
        }
    }

    private boolean lacksMachine(SimNode lost) {
        MachinePark park = world.park(lost.datacenter());
        RackName rack = park.seen(lost.allocation().machine()).rack();
        return !park.isOffered(lost.allocation().machine())
                && park.offered().stream()
                        .filter(m -> m.rack().equals(rack))
                        .allMatch(m -> world.nodesOf(lost.cluster()).stream()
                                .anyMatch(n -> !n.isReleased()
                                        && n.datacenter().equals(lost.datacenter())
                                        && n.allocation().machine().equals(m.name())));
    }
}
