package io.ringmaster.simulator.world;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.time.Duration;

/** The clock of one datacenter's servers is hours ahead or behind for a while, and right again. */
public final class WrongServerClocks extends Participant {
    private static final int MAX_HOURS = 12;

    private final World world;

    public WrongServerClocks(World world, SeededRandom random) {
        super(world.clock(), random, 5000, 40_000);
        this.world = world;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        int hours = random.between(1, MAX_HOURS);
        Duration wrong = Duration.ofHours(random.chance(0.5) ? hours : -hours);
        world.trace().add("fault", "the clock of " + datacenter + " is wrong by " + wrong);
        world.serverClocks().step(datacenter, wrong);
        world.clock().after(random.between(2000, 60_000), () -> {
            world.trace().add("fault", "the clock of " + datacenter + " is right");
            world.serverClocks().step(datacenter, Duration.ZERO);
        });
    }
}
