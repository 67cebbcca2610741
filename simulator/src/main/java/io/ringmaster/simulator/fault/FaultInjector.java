package io.ringmaster.simulator.fault;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;

/** Injects the faults of the run's kinds at random times. */
public final class FaultInjector {
    private static final int EVERY_MILLIS = 2000;

    private final ActiveFaults faults;
    private final Breakable target;
    private final VirtualClock clock;
    private final SeededRandom random;
    private final Trace trace;

    public FaultInjector(ActiveFaults faults, Breakable target, VirtualClock clock, SeededRandom random, Trace trace) {
        this.faults = faults;
        this.target = target;
        this.clock = clock;
        this.random = random;
        this.trace = trace;
    }

    public void start() {
        clock.every(EVERY_MILLIS, this::inject);
    }

    private void inject() {
        DatacenterName datacenter = random.pick(target.datacenterNames());
        if (happens(Fault.KILL, 0.15) && target.hasLeader(datacenter)) {
            target.killLeaderAtCall(datacenter, random.between(1, 12));
        }
        if (happens(Fault.SESSION, 0.05)) {
            target.loseSession(datacenter);
        }
        if (happens(Fault.EXECUTOR_CRASH, 0.1)) {
            random.any(target.runningExecutors(datacenter)).ifPresent(a -> {
                trace.add("fault", "executor of " + a + " crashes");
                target.crashExecutor(datacenter, a);
            });
        }
        if (happens(Fault.DAEMON_CRASH, 0.1)) {
            random.any(target.runningExecutors(datacenter)).ifPresent(a -> {
                trace.add("fault", "daemon of " + a + " crashes");
                target.crashDaemon(datacenter, a);
            });
        }
        if (happens(Fault.CUT, 0.04) && !target.isPartitioned()) {
            trace.add("fault", "a network partition separates the datacenters");
            target.partition(true);
            clock.after(random.between(2000, 40_000), () -> target.partition(false));
        }
        if (happens(Fault.MACHINE, 0.03)) {
            loseMachine(datacenter);
        }
        if (happens(Fault.DISK, 0.05)) {
            loseDisks(datacenter);
        }
    }

    private void loseDisks(DatacenterName datacenter) {
        MachineName machine = random.pick(target.machines(datacenter));
        if (target.isUp(datacenter, machine) && target.hasReplicasElsewhere(datacenter, machine)) {
            trace.add("fault", datacenter + " " + machine + " is lost with its disks");
            target.loseDisks(datacenter, machine);
            clock.after(random.between(3000, 240_000), () -> target.returnMachine(datacenter, machine));
        }
    }

    private void loseMachine(DatacenterName datacenter) {
        MachineName machine = random.pick(target.machines(datacenter));
        if (target.canLoseContact(datacenter) && random.chance(0.5)) {
            loseContact(datacenter, machine);
            return;
        }
        trace.add("fault", datacenter + " " + machine + " is down");
        target.loseMachine(datacenter, machine);
        clock.after(random.between(3000, 40_000), () -> target.returnMachine(datacenter, machine));
    }

    /** Some machines are away for so long that their nodes are replaced. */
    private void loseContact(DatacenterName datacenter, MachineName machine) {
        if (target.isUp(datacenter, machine)) {
            boolean down = random.chance(0.6);
            trace.add("fault", datacenter + " " + machine + " is unreachable" + (down ? " and down" : ""));
            target.loseContact(datacenter, machine, down);
            int maxMillis = random.chance(0.3) ? 150_000 : 40_000;
            clock.after(random.between(3000, maxMillis), () -> target.returnMachine(datacenter, machine));
        }
    }

    private boolean happens(Fault fault, double probability) {
        return faults.has(fault) && random.chance(probability);
    }
}
