package io.ringmaster.simulator.world;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** At most one machine of each datacenter is lost with its disks and never returns. */
public final class LostMachines extends Participant {
    private final World world;
    private final Set<DatacenterName> without = new TreeSet<>();

    public LostMachines(World world, SeededRandom random) {
        super(world.clock(), random, 10_000, 60_000);
        this.world = world;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        MachinePark park = world.park(datacenter);
        List<MachineName> used = world.nodes(datacenter).values().stream()
                .filter(n -> !n.isReleased())
                .map(n -> n.allocation().machine())
                .filter(m -> park.isUp(m) && park.isReachable(m))
                .distinct()
                .toList();
        if (world.has(Fault.DISK) && !without.contains(datacenter)) {
            random.any(used)
                    .filter(m -> world.losses().hasReplicasElsewhere(datacenter, m))
                    .ifPresent(m -> {
                        without.add(datacenter);
                        world.trace().add("fault", datacenter + " " + m + " is lost for good");
                        world.losses().loseForGood(datacenter, m);
                    });
        }
    }
}
