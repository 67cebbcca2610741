package io.ringmaster.simulator.world;

import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;

/** An executor cannot start its daemon for some time, for a reason of its own; often its daemon dies then. */
public final class FailingExecutors extends Participant {
    private static final int SHORT_MILLIS = 40_000;
    private static final int LONG_MILLIS = 200_000;

    private final World world;

    public FailingExecutors(World world, SeededRandom random) {
        super(world.clock(), random, 10_000, 60_000);
        this.world = world;
    }

    @Override
    protected void act() {
        random.any(World.DATACENTERS.stream()
                        .flatMap(d -> world.nodes(d).values().stream())
                        // while a cluster is created, its first seeds would keep rings apart for as long
                        .filter(n -> !n.isReleased()
                                && n.machineUp()
                                && !n.executor().startsFail()
                                && world.declarations().mayHoldData(n.cluster()))
                        .toList())
                .ifPresent(this::fail);
    }

    private void fail(SimNode node) {
        int millis = random.between(5000, random.chance(0.5) ? LONG_MILLIS : SHORT_MILLIS);
        world.trace().add("fault", "the executor of " + node.name() + " starts no daemon for " + millis + " ms");
        node.executor().failStarts(true);
        if (random.chance(0.5)) {
            node.daemon().crash();
        }
        world.clock().after(millis, () -> node.executor().failStarts(false));
    }
}
