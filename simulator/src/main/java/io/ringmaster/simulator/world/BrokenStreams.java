package io.ringmaster.simulator.world;

import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.util.List;

/** While a node streams its ranges, one of its sources dies, or the datacenters are cut off from each other. */
public final class BrokenStreams extends Participant {
    private static final double BREAKS = 0.2;

    private final World world;

    public BrokenStreams(World world, SeededRandom random) {
        super(world.clock(), random, 500, 2000);
        this.world = world;
    }

    @Override
    protected void act() {
        List<SimNode> newcomers = World.DATACENTERS.stream()
                .flatMap(d -> world.nodes(d).values().stream())
                .filter(n -> n.daemon().bootstraps() && n.daemon().isJoining())
                .toList();
        random.any(newcomers).filter(n -> random.chance(BREAKS)).ifPresent(this::breakStreamOf);
    }

    private void breakStreamOf(SimNode newcomer) {
        if (random.chance(0.3) && !world.isPartitioned()) {
            world.trace().add("fault", "the datacenters are cut off while " + newcomer.name() + " joins");
            world.partition(true);
            world.clock().after(random.between(1000, 8000), () -> world.partition(false));
            return;
        }
        List<SimNode> sources = world.membersBeside(newcomer).stream()
                .filter(n -> n.daemon().gossips())
                .toList();
        random.any(sources).ifPresent(n -> {
            world.trace().add("fault", "daemon of " + n.name() + " crashes while " + newcomer.name() + " joins");
            n.daemon().crash();
        });
    }
}
