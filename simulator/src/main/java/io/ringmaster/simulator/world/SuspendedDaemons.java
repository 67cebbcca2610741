package io.ringmaster.simulator.world;

import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.util.List;

/**
 * A signal stops the process of a daemon for some time: for one slow answer, or for minutes. One that joins or leaves
 * is spared, because the ledger knows no newcomer that takes no writes.
 */
public final class SuspendedDaemons extends Participant {
    private static final int SLOW_ANSWER_MILLIS = 6000;
    private static final int SHORT_MILLIS = 30_000;
    private static final int LONG_MILLIS = 180_000;

    private final World world;

    public SuspendedDaemons(World world, SeededRandom random) {
        super(world.clock(), random, 5000, 40_000);
        this.world = world;
    }

    @Override
    protected void act() {
        List<SimNode> nodes = World.DATACENTERS.stream()
                .flatMap(d -> world.nodes(d).values().stream())
                // while a cluster is created, its first seeds would keep rings apart for as long as they stand still
                .filter(n -> n.daemon().maySuspend() && world.declarations().mayHoldData(n.cluster()))
                .toList();
        random.any(nodes).ifPresent(this::suspend);
    }

    private void suspend(SimNode node) {
        SimDaemon daemon = node.daemon();
        int millis = random.chance(0.5)
                ? random.between(500, SLOW_ANSWER_MILLIS)
                : random.between(SLOW_ANSWER_MILLIS, random.chance(0.2) ? LONG_MILLIS : SHORT_MILLIS);
        world.trace().add("fault", "daemon of " + node.name() + " stands still for " + millis + " ms");
        daemon.suspend();
        world.clock().after(millis, daemon::resume);
    }
}
