package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.simulator.world.PoolMemory;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server's pool. It carries out the commands for one allocation in the order in which they were given. */
final class SimPool implements Pool {
    private static final int SNAPSHOT_MILLIS = 10_000;
    private static final int MAX_COMMAND_MILLIS = 150;

    private final ServerProcess process;
    private final World world;
    private final PoolMemory memory;
    private final PoolWork work;
    private final Map<AllocationId, Long> busyUntilMillis = new TreeMap<>();
    private FactSink facts = fact -> {};

    SimPool(ServerProcess process, World world) {
        this.process = process;
        this.world = world;
        this.memory = world.pool(process.datacenter());
        this.work = new PoolWork(process.datacenter(), world, this::report);
    }

    @Override
    public void start(FactSink sink, PoolRecords records) {
        facts = sink;
        reportSnapshot();
    }

    private void reportSnapshot() {
        if (process.isAlive()) {
            report(new Fact.PoolSeen(
                    world.park(process.datacenter()).offered(),
                    nodes().values().stream().map(n -> n.place().state()).toList(),
                    memory.kind().capabilities(),
                    memory.revision()));
            world.clock().after(SNAPSHOT_MILLIS, this::reportSnapshot);
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        submit("reserve", command.allocation().id(), epoch, () -> work.reserve(command.allocation()));
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        submit("launch", command.allocation().id(), epoch, () -> work.launch(command));
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        submit("relaunch", command.allocation().id(), epoch, () -> work.relaunch(command));
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        submit("kill", command.allocation(), epoch, () -> work.kill(command.allocation()));
    }

    @Override
    public void release(Command.Release command, long epoch) {
        String what = command.destroyVolume() ? "destroy" : "release";
        submit(what, command.allocation(), epoch, () -> work.release(command));
    }

    /** For the contract: the simulator calls its executors directly. */
    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        return Optional.ofNullable(nodes().get(id))
                .flatMap(n -> Optional.ofNullable(n.place().address())
                        .map(address -> ExecutorAccess.http(
                                address, n.allocation().ports().executor(), "token-of-" + id)));
    }

    private void submit(String what, AllocationId id, long epoch, Runnable effect) {
        process.call("before " + what + " " + id);
        world.poolListener().commanding(process.datacenter(), process.number(), what + " " + id);
        process.trace(what + " " + id);
        long now = world.nowMillis();
        long at = Math.max(now + world.network().delay(1, MAX_COMMAND_MILLIS), busyUntilMillis.getOrDefault(id, 0L));
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
            world.poolListener().carryingOut(process.datacenter(), epoch, what);
            effect.run();
        } else {
            process.trace("pool refuses " + what + " of epoch " + epoch);
        }
    }

    void report(SimNode node) {
        report(new Fact.AllocationChanged(node.place().state()));
    }

    void report(Machine machine) {
        report(new Fact.MachineChanged(machine, memory.nextRevision()));
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
