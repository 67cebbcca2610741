package io.ringmaster.simulator.world;

import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.time.Duration;
import java.util.List;

/** The clock of a node that repairs is a day ahead, or a day behind, and soon right again. */
public final class WrongClocks extends Participant {
    private final World world;

    public WrongClocks(World world, SeededRandom random) {
        super(world.clock(), random, 100, 1000);
        this.world = world;
    }

    @Override
    protected void act() {
        List<SimNode> repairing = World.DATACENTERS.stream()
                .flatMap(d -> world.nodes(d).values().stream())
                .filter(SimNode::repairs)
                .toList();
        random.any(repairing).filter(n -> random.chance(0.7)).ifPresent(this::step);
    }

    private void step(SimNode node) {
        Duration wrong = Duration.ofDays(random.chance(0.8) ? 1 : -1);
        world.trace().add("fault", "the clock of " + node.name() + " is wrong by " + wrong);
        node.clockIs(wrong);
        world.clock().after(random.between(1000, 5000), node::clockIsRight);
    }
}
