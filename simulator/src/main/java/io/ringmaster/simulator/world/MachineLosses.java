package io.ringmaster.simulator.world;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;

/** Machines that fail, with what is on them, and that return. */
public final class MachineLosses {
    private final World world;

    MachineLosses(World world) {
        this.world = world;
    }

    /** The machine is down, and its disks survive. */
    public void lose(DatacenterName datacenter, MachineName machine) {
        world.park(datacenter).goesDown(machine);
        on(datacenter, machine).forEach(n -> {
            n.die(false);
            n.executorExited();
        });
    }

    /** The machine is lost with its disks; the machine that returns under its name is empty. */
    public void loseWithDisks(DatacenterName datacenter, MachineName machine) {
        lose(datacenter, machine);
        world.park(datacenter).isGone(machine);
        on(datacenter, machine).forEach(n -> {
            world.ledgers().volumeLost(n);
            world.removedNodes().add(n);
            world.nodes(datacenter).remove(n.allocation().id());
        });
    }

    /** The same, and the machine never returns. */
    void loseForGood(DatacenterName datacenter, MachineName machine) {
        loseWithDisks(datacenter, machine);
        world.park(datacenter).neverReturns(machine);
    }

    /** The pool loses contact with the machine, and does not know whether it is down. */
    public void loseContact(DatacenterName datacenter, MachineName machine, boolean down) {
        MachinePark park = world.park(datacenter);
        park.losesContact(machine);
        if (down) {
            park.goesDown(machine);
        }
        Problem noContact = Problem.of(ErrorCode.POOL_UNAVAILABLE, "no contact with " + machine);
        for (SimNode node : on(datacenter, machine)) {
            if (down) {
                node.die(false);
            }
            Status status = node.place().status();
            if (status == Status.RUNNING || status == Status.LAUNCHING || status == Status.EXITED) {
                node.place().becomes(Status.UNREACHABLE, noContact);
                world.servers(datacenter).allocationChanged(node);
            }
        }
        world.servers(datacenter).machineChanged(park.seen(machine));
    }

    public void giveBack(DatacenterName datacenter, MachineName machine) {
        MachinePark park = world.park(datacenter);
        if (park.returns(machine)) {
            for (SimNode node : on(datacenter, machine)) {
                if (node.place().status() == Status.UNREACHABLE) {
                    boolean runs = node.executor().isUp();
                    node.place().becomes(runs ? Status.RUNNING : Status.EXITED, runs ? null : "ended unseen");
                    world.servers(datacenter).allocationChanged(node);
                }
            }
            world.servers(datacenter).machineChanged(park.seen(machine));
        }
    }

    /** Every machine returns that is not lost for good. */
    void giveBackAll() {
        for (DatacenterName datacenter : World.DATACENTERS) {
            world.park(datacenter).all().forEach(m -> giveBack(datacenter, m.name()));
        }
    }

    private List<SimNode> on(DatacenterName datacenter, MachineName machine) {
        return world.nodes(datacenter).values().stream()
                .filter(n -> n.allocation().machine().equals(machine))
                .toList();
    }

    /**
     * Whether the disks of the machine may be lost: its nodes are members with a record, their clusters are complete,
     * all other members are NORMAL, and enough of them have each row.
     */
    public boolean hasReplicasElsewhere(DatacenterName datacenter, MachineName machine) {
        List<SimNode> held = on(datacenter, machine);
        return held.stream()
                .filter(n -> !n.isReleased())
                .allMatch(n -> (serves(n) || isLeavingOthers(n))
                        && world.declarations().mayHoldData(n.cluster())
                        && world.ledgers().survives(n.cluster(), held)
                        && world.records(datacenter, NodeRecord.class).stream()
                                .anyMatch(r -> r.joined()
                                        && r.allocation()
                                                .id()
                                                .equals(n.allocation().id()))
                        && world.membersBeside(n).stream().allMatch(MachineLosses::serves));
    }

    private static boolean serves(SimNode node) {
        return node.mode() == OperatingMode.NORMAL && !node.daemon().isSuspended();
    }

    /** Nobody could remove the last leaving node of a datacenter from the ring. */
    private boolean isLeavingOthers(SimNode node) {
        return node.mode() == OperatingMode.LEAVING
                && world.membersBeside(node).stream()
                        .anyMatch(n -> n.datacenter().equals(node.datacenter()));
    }
}
