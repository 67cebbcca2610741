package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.fault.Breakable;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;

/**
 * Separates the datacenters when the first nodes of a cluster are launched in both, and kills both leaders: the next
 * ones know no node of the other datacenter.
 */
public final class FirstRingCut extends Participant {
    private final World world;
    private final Breakable faults;

    public FirstRingCut(World world, Breakable faults, SeededRandom random) {
        super(world.clock(), random, 200, 800);
        this.world = world;
        this.faults = faults;
    }

    @Override
    protected void act() {
        boolean due = !faults.isPartitioned() && Workload.CLUSTERS.stream().anyMatch(this::startsInBoth);
        if (due && random.chance(0.5)) {
            world.trace().add("fault", "a network partition separates the first nodes of a cluster");
            faults.partition(true);
            world.clock().after(random.between(10_000, 90_000), () -> faults.partition(false));
            World.DATACENTERS.forEach(d -> faults.killLeaderAtCall(d, random.between(1, 6)));
        }
    }

    private boolean startsInBoth(ClusterName cluster) {
        return world.members(cluster).findAny().isEmpty()
                && World.DATACENTERS.stream().allMatch(d -> isLaunched(cluster, d));
    }

    private boolean isLaunched(ClusterName cluster, DatacenterName datacenter) {
        return world.nodesOf(cluster).stream()
                .anyMatch(n -> n.datacenter().equals(datacenter) && n.executor().isUp());
    }
}
