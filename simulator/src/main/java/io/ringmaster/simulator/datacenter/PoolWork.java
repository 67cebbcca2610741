package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.PoolMemory;
import io.ringmaster.simulator.world.SimAllocation;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the pool of a datacenter does for a command. What takes time continues after the death of the server. */
final class PoolWork {
    private static final int LAUNCH_MILLIS = 1200;
    private static final double FAILS = 0.05;
    private static final double PENDS = 0.2;
    private static final int MAX_PENDING_MILLIS = 15_000;

    private final DatacenterName datacenter;
    private final World world;
    private final PoolMemory memory;
    private final Consumer<Fact> facts;

    /** @param facts what happens at once */
    PoolWork(DatacenterName datacenter, World world, Consumer<Fact> facts) {
        this.datacenter = datacenter;
        this.world = world;
        this.memory = world.pool(datacenter);
        this.facts = facts;
    }

    void reserve(Allocation wanted) {
        if (!world.park(datacenter).isOffered(wanted.machine())) {
            reportFailed(wanted, problem("there is no machine " + wanted.machine() + " in this pool"));
            return;
        }
        SimNode node = nodes().get(wanted.id());
        if (node == null && !world.park(datacenter).isReachable(wanted.machine())) {
            reportFailed(wanted, problem("there is no contact with " + wanted.machine()));
            return;
        }
        if (node == null) {
            world.poolListener().reserving(datacenter, wanted);
            node = new SimNode(world, wanted);
            nodes().put(wanted.id(), node);
            mayPend(node);
        } else {
            if (!node.id().equals(wanted.node())) {
                world.poolListener().reservedForOther(node.allocation(), wanted);
            }
            node.place().decided(wanted, node.executor().isUp() || node.daemon().isUp());
            if (node.isReleased()) {
                world.poolListener().reservingKept(node);
            }
            if (node.isReleased() || node.place().status() == Status.FAILED) {
                node.place().becomes(Status.RESERVED, (String) null);
            }
        }
        report(node);
    }

    void launch(Command.Launch command) {
        SimNode node = nodes().get(command.allocation().id());
        if (node == null || node.isReleased()) {
            reportNotReserved(command.allocation(), node);
        } else if (node.executor().isUp() || isBusy(node)) {
            report(node);
        } else {
            node.place().decided(command.allocation(), node.daemon().isUp());
            launch(node, command.generation());
        }
    }

    private void launch(SimNode node, long generation) {
        SimAllocation place = node.place();
        place.launching(generation, "starts the executor");
        report(node);
        long life = place.life();
        world.clock().after(world.random().between(200, LAUNCH_MILLIS), () -> {
            if (isThere(node, life)) {
                launched(node);
            }
        });
    }

    private void launched(SimNode node) {
        boolean fails = world.has(Fault.FAILED_START) && world.random().chance(FAILS);
        if (!node.machineUp()) {
            node.place().becomes(Status.EXITED, "the machine is down");
        } else if (fails) {
            node.place().becomes(Status.FAILED, problem("the executor could not be started"));
            world.poolListener().launchFailed(node);
        } else {
            node.launched();
        }
        report(node);
    }

    /** Once for each generation, and again only if the launch failed. */
    void relaunch(Command.Relaunch command) {
        SimNode node = nodes().get(command.allocation().id());
        if (node == null || node.isReleased()) {
            reportNotReserved(command.allocation(), node);
            return;
        }
        SimAllocation place = node.place();
        boolean repeats = world.planted() == Mutation.RELAUNCH_REPEATED;
        if (repeats && place.status() == Status.LAUNCHING) {
            world.clock().after(LAUNCH_MILLIS, () -> relaunch(command));
            return;
        }
        if ((place.isLaunched(command.generation()) && !repeats)
                || place.status() == Status.PENDING
                || place.status() == Status.UNREACHABLE) {
            report(node);
            return;
        }
        place.decided(command.allocation(), true);
        place.launching(command.generation(), "ends what runs");
        report(node);
        long life = place.life();
        world.clock().after(world.random().between(200, 800), () -> {
            if (isThere(node, life)) {
                world.poolListener().relaunching(node, command.generation());
                node.die(true);
                launch(node, command.generation());
            }
        });
    }

    void kill(AllocationId id) {
        SimNode node = nodes().get(id);
        if (node == null) {
            reportGone(id);
        } else if (!node.isReleased()) {
            if (node.place().status() != Status.UNREACHABLE && node.place().status() != Status.PENDING) {
                node.die(true);
                node.place().becomes(Status.RESERVED, (String) null);
            }
            report(node);
        }
    }

    void release(Command.Release command) {
        SimNode node = nodes().get(command.allocation());
        if (node == null) {
            reportGone(command.allocation());
            return;
        }
        if (world.planted() == Mutation.ALLOCATION_LEAKED && !node.joined()) {
            return;
        }
        if (world.planted() == Mutation.REPLACED_VOLUME_FORGOTTEN && command.destroyVolume() && node.isReleased()) {
            reportGone(command.allocation());
            return;
        }
        if (node.place().status() == Status.UNREACHABLE) {
            report(node);
            return;
        }
        node.die(true);
        if (command.destroyVolume()) {
            world.poolListener().destroyingVolume(node);
            nodes().remove(command.allocation());
            reportGone(command.allocation());
        } else {
            world.release(node);
            report(node);
        }
    }

    /** The pool already works on it, or cannot. */
    private static boolean isBusy(SimNode node) {
        return switch (node.place().status()) {
            case PENDING, LAUNCHING, UNREACHABLE -> true;
            case RESERVED, RUNNING, EXITED, FAILED, RELEASED -> false;
        };
    }

    /** A pod may have to wait for its volume. */
    private void mayPend(SimNode node) {
        if (memory.kind().hasFixedAddresses() || !world.random().chance(PENDS)) {
            return;
        }
        node.place().becomes(Status.PENDING, problem("waits for a volume"));
        long life = node.place().life();
        world.clock().after(world.random().between(1000, MAX_PENDING_MILLIS), () -> {
            if (isThere(node, life)) {
                node.place().becomes(Status.RESERVED, (String) null);
                report(node);
            }
        });
    }

    /** Whether nothing happened to the allocation since. */
    private boolean isThere(SimNode node, long life) {
        return nodes().get(node.allocation().id()) == node && node.place().life() == life;
    }

    /** To every server, because the one that commanded may be dead. */
    private void report(SimNode node) {
        world.servers(datacenter).allocationChanged(node);
    }

    private void reportGone(AllocationId id) {
        facts.accept(new Fact.AllocationGone(id, memory.nextRevision()));
    }

    private void reportNotReserved(Allocation allocation, @Nullable SimNode released) {
        ErrorCode code = released == null ? ErrorCode.MACHINE_LOST : ErrorCode.POOL_UNAVAILABLE;
        reportFailed(allocation, Problem.of(code, "the allocation is not reserved"));
    }

    private void reportFailed(Allocation allocation, Problem problem) {
        facts.accept(new Fact.AllocationChanged(
                AllocationState.failed(allocation, world.now(), memory.nextRevision(), problem)));
    }

    private static Problem problem(String why) {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, why);
    }

    private Map<AllocationId, SimNode> nodes() {
        return world.nodes(datacenter);
    }
}
