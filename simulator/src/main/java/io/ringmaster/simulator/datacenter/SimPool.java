package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.PoolMemory;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server's pool. It carries out the commands for one allocation in the order in which they were given. */
final class SimPool implements Pool {
    private static final int SNAPSHOT_MILLIS = 10_000;
    private static final double FAILS = 0.05;

    private final ServerProcess process;
    private final World world;
    private final PoolMemory memory;
    private final Map<AllocationId, Long> busyUntilMillis = new TreeMap<>();
    private FactSink facts = fact -> {};

    SimPool(ServerProcess process, World world) {
        this.process = process;
        this.world = world;
        this.memory = world.pool(process.datacenter());
    }

    @Override
    public void start(FactSink sink, PoolRecords records) {
        facts = sink;
        reportSnapshot();
    }

    private void reportSnapshot() {
        if (process.isAlive()) {
            report(new Fact.PoolSeen(
                    world.offeredMachines(process.datacenter()),
                    nodes().values().stream().map(SimNode::state).toList(),
                    PoolCapabilities.OF_MACHINES,
                    memory.revision()));
            world.clock().after(SNAPSHOT_MILLIS, this::reportSnapshot);
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        submit("reserve", command.allocation().id(), epoch, () -> reserveNow(command.allocation()));
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        submit("launch", command.allocation().id(), epoch, () -> launchNow(command));
    }

    /** For the contract: a pool that resizes in place is never asked to. */
    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        submit("relaunch", command.allocation().id(), epoch, () -> relaunchNow(command));
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        submit("kill", command.allocation(), epoch, () -> killNow(command.allocation()));
    }

    @Override
    public void release(Command.Release command, long epoch) {
        String what = command.destroyVolume() ? "destroy" : "release";
        submit(what, command.allocation(), epoch, () -> releaseNow(command));
    }

    /** For the contract: the simulator calls its executors directly. */
    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        return Optional.ofNullable(nodes().get(id))
                .map(n ->
                        ExecutorAccess.http(n.address(), n.allocation().ports().executor(), "token-of-" + id));
    }

    private void submit(String what, AllocationId id, long epoch, Runnable effect) {
        process.call("before " + what + " " + id);
        world.listener().commandsPool(process.datacenter(), process.number(), what + " " + id);
        process.trace(what + " " + id);
        long now = world.nowMillis();
        long at = Math.max(now + world.random().between(1, 150), busyUntilMillis.getOrDefault(id, 0L));
        busyUntilMillis.put(id, at);
        world.clock().after(at - now, () -> {
            // A command that the pool of a dead server has not started is lost.
            if (process.isAlive()) {
                carryOut(what + " " + id, epoch, effect);
            }
        });
        process.call("after " + what + " " + id);
    }

    private void carryOut(String what, long epoch, Runnable effect) {
        if (memory.admits(epoch)) {
            effect.run();
        } else {
            process.trace("pool refuses " + what + " of epoch " + epoch);
        }
    }

    private void reserveNow(Allocation allocation) {
        if (!world.isOffered(process.datacenter(), allocation.machine())) {
            reportFailed(allocation, "there is no machine " + allocation.machine() + " in this pool");
            return;
        }
        SimNode node = nodes().get(allocation.id());
        if (node == null) {
            world.listener().reserving(process.datacenter(), allocation);
            node = new SimNode(world, allocation);
            nodes().put(allocation.id(), node);
        } else {
            if (!node.id().equals(allocation.node())) {
                world.listener().reservedForOther(node.allocation(), allocation);
            }
            node.resize(allocation);
            if (node.isReleased() || node.allocationStatus() == AllocationState.Status.FAILED) {
                node.allocationBecomes(AllocationState.Status.RESERVED, null);
            }
        }
        report(node);
    }

    private void reportFailed(Allocation allocation, String why) {
        report(new Fact.AllocationChanged(
                AllocationState.failed(allocation, world.now(), memory.nextRevision(), problem(why))));
    }

    private static Problem problem(String why) {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, why);
    }

    private void launchNow(Command.Launch command) {
        SimNode node = nodes().get(command.allocation().id());
        if (node == null || node.isReleased()) {
            reportFailed(command.allocation(), "the allocation is not reserved");
            return;
        }
        if (node.executor().isUp()) {
            report(node);
            return;
        }
        launchNow(node, command.generation());
    }

    private void launchNow(SimNode node, long generation) {
        node.allocationBecomes(AllocationState.Status.LAUNCHING, "starts the executor");
        report(node);
        world.clock().after(world.random().between(200, 1200), () -> launched(node, generation));
    }

    /** Once for each generation, and again only if the launch failed. */
    private void relaunchNow(Command.Relaunch command) {
        SimNode node = nodes().get(command.allocation().id());
        if (node == null || node.isReleased()) {
            reportFailed(command.allocation(), "the allocation is not reserved");
        } else if (command.generation() > node.launchedGeneration()) {
            node.resize(command.allocation());
            node.die(true);
            launchNow(node, command.generation());
        } else {
            report(node);
        }
    }

    private void launched(SimNode node, long generation) {
        if (nodes().get(node.allocation().id()) != node
                || node.allocationStatus() != AllocationState.Status.LAUNCHING) {
            return;
        }
        boolean fails = world.has(Fault.FAILED_START) && world.random().chance(FAILS);
        if (!node.machineUp()) {
            node.allocationBecomes(AllocationState.Status.EXITED, "the machine is down");
        } else if (fails) {
            node.allocationFailed(problem("the executor could not be started"));
        } else {
            node.launched(generation);
        }
        report(node);
    }

    private void killNow(AllocationId id) {
        SimNode node = nodes().get(id);
        if (node == null) {
            // Without a random delay, so that the histories of older seeds stay as they are.
            world.clock().after(1, () -> facts.accept(new Fact.AllocationGone(id, memory.nextRevision())));
        } else if (!node.isReleased()) {
            node.die(true);
            node.allocationBecomes(AllocationState.Status.RESERVED, null);
            report(node);
        }
    }

    private void releaseNow(Command.Release command) {
        SimNode node = nodes().get(command.allocation());
        if (node == null) {
            reportGone(command.allocation());
            return;
        }
        if (world.planted() == Mutation.ALLOCATION_LEAKED && !node.joined()) {
            return;
        }
        node.die(true);
        if (command.destroyVolume()) {
            world.listener().destroyingVolume(node);
            nodes().remove(command.allocation());
            reportGone(command.allocation());
        } else {
            world.release(node);
            report(node);
        }
    }

    void report(SimNode node) {
        report(new Fact.AllocationChanged(node.state()));
    }

    private void reportGone(AllocationId id) {
        report(new Fact.AllocationGone(id, memory.nextRevision()));
    }

    private void report(Fact fact) {
        world.network().send(1, 200, () -> facts.accept(fact));
    }

    private Map<AllocationId, SimNode> nodes() {
        return world.nodes(process.datacenter());
    }

    @Override
    public void close() {
        facts = fact -> {};
    }
}
