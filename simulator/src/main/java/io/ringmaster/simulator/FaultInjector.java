package io.ringmaster.simulator;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;

/** Breaks things from time to time, of the kinds that the run has. */
final class FaultInjector {
    private static final int EVERY_MILLIS = 2000;

    private final World world;

    FaultInjector(World world) {
        this.world = world;
    }

    void start() {
        world.timeline.every(EVERY_MILLIS, this::mayBreak);
    }

    private void mayBreak() {
        Datacenter datacenter = world.datacenter(world.chance.pick(World.DATACENTERS));
        if (happens(Fault.KILL, 0.15)) {
            datacenter.leader().ifPresent(s -> s.killAtCall(world.chance.between(1, 12)));
        }
        if (happens(Fault.SESSION, 0.05)) {
            datacenter.loseSession();
        }
        if (happens(Fault.EXECUTOR_CRASH, 0.1)) {
            world.chance.any(running(datacenter.name)).ifPresent(n -> {
                world.trace.add("fault", "executor of " + n.name() + " crashes");
                SimPool.exited(n, world);
            });
        }
        if (happens(Fault.DAEMON_CRASH, 0.1)) {
            world.chance.any(running(datacenter.name)).ifPresent(n -> {
                world.trace.add("fault", "daemon of " + n.name() + " crashes");
                n.crashDaemon();
            });
        }
        if (happens(Fault.CUT, 0.04) && !world.cut()) {
            world.trace.add("fault", "datacenters are cut off from each other");
            world.cut(true);
            world.timeline.in(world.chance.between(2000, 40_000), () -> world.cut(false));
        }
        if (happens(Fault.MACHINE, 0.03)) {
            loseMachine(datacenter.name);
        }
        if (happens(Fault.DISK, 0.05)) {
            loseDisks(datacenter.name);
        }
    }

    private void loseDisks(DatacenterName datacenter) {
        Machine machine = world.chance.pick(world.machines(datacenter));
        if (world.machineUp(datacenter, machine.name())
                && world.invariants.hasReplicasElsewhere(datacenter, machine.name())) {
            world.trace.add("fault", datacenter + " " + machine.name() + " is gone with its disks");
            world.loseForGood(datacenter, machine.name());
            world.timeline.in(
                    world.chance.between(3000, 240_000), () -> world.returnMachine(datacenter, machine.name()));
        }
    }

    private void loseMachine(DatacenterName datacenter) {
        Machine machine = world.chance.pick(world.machines(datacenter));
        world.trace.add("fault", datacenter + " " + machine.name() + " is away");
        world.loseMachine(datacenter, machine.name());
        world.timeline.in(world.chance.between(3000, 40_000), () -> world.returnMachine(datacenter, machine.name()));
    }

    private List<SimNode> running(DatacenterName datacenter) {
        return world.nodes(datacenter).values().stream()
                .filter(n -> n.executorUp)
                .toList();
    }

    private boolean happens(Fault fault, double probability) {
        return world.faultsOn(fault) && world.chance.one(probability);
    }
}
