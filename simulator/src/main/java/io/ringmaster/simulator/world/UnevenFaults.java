package io.ringmaster.simulator.world;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import java.time.Duration;
import java.util.List;

/**
 * Faults that meet one side alone: the reports of one datacenter do not arrive in the other while those of the other
 * do, no server reaches an executor whose node sees all others, the clock of one datacenter's servers steps, and the
 * disk of one node is full for a while.
 */
public final class UnevenFaults extends Participant {
    private static final int MAX_STEP_MILLIS = 60_000;

    private final World world;

    public UnevenFaults(World world, SeededRandom random) {
        super(world.clock(), random, 1000, 10_000);
        this.world = world;
    }

    @Override
    protected void act() {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        List<SimNode> nodes = world.nodes(datacenter).values().stream()
                .filter(n -> n.machineUp() && !n.isReleased())
                .toList();
        switch (random.between(0, 3)) {
            case 0 -> mute(datacenter);
            case 1 -> stepClock(datacenter);
            case 2 -> random.any(nodes).ifPresent(this::cutOff);
            // while a cluster is created, its two first seeds would keep rings apart for as long as they are down
            default ->
                random.any(nodes.stream().filter(this::mayHoldData).toList()).ifPresent(this::fillDisk);
        }
    }

    private boolean mayHoldData(SimNode node) {
        return world.declarations().mayHoldData(node.cluster());
    }

    private void mute(DatacenterName datacenter) {
        world.trace().add("fault", "reports of " + datacenter + " do not arrive elsewhere");
        world.network().mute(datacenter, true);
        world.clock().after(random.between(2000, 40_000), () -> world.network().mute(datacenter, false));
    }

    private void cutOff(SimNode node) {
        world.trace().add("fault", "no server reaches the executor of " + node.name());
        world.network().cutOff(node.allocation().id(), true);
        world.clock().after(random.between(2000, 40_000), () -> world.network()
                .cutOff(node.allocation().id(), false));
    }

    private void stepClock(DatacenterName datacenter) {
        Duration difference = Duration.ofMillis(random.between(-MAX_STEP_MILLIS, MAX_STEP_MILLIS));
        world.trace().add("fault", "the clock of " + datacenter + " steps, and is wrong by " + difference);
        world.serverClocks().step(datacenter, difference);
    }

    private void fillDisk(SimNode node) {
        world.trace().add("fault", "the disk of " + node.name() + " is full");
        node.daemon().diskFull(true);
        world.clock().after(random.between(2000, 40_000), () -> node.daemon().diskFull(false));
    }
}
