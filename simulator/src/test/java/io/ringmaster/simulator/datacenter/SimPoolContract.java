package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.DatacenterServers;
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A simulated pool keeps the contract. Each call runs the virtual clock until its outcome is reported. */
abstract class SimPoolContract extends PoolContract {
    /** Longer than a pod waits for its volume. */
    private static final int OUTCOME_MILLIS = 20_000;

    private static final DatacenterName DC1 = SampleRecords.DC1;

    private final VirtualClock clock = new VirtualClock();
    private final Trace trace = new Trace(clock, line -> {});
    private final World world;
    private @Nullable SimPool opened;
    private int servers;

    SimPoolContract(PoolKind kind) {
        ActiveFaults none = new ActiveFaults(Set.of());
        world = new World(clock, new SeededRandom(1), trace, none, Mutation.NONE, List.of(kind, kind));
        world.connect(DC1, new OneServer());
        // time passes also while nothing happens
        clock.every(OUTCOME_MILLIS, () -> {});
    }

    /** A server without a controller. */
    private final class OneServer implements DatacenterServers {
        @Override
        public Optional<SeedAnswer> seeds(NodeId node) {
            return Optional.empty();
        }

        @Override
        public boolean isLeader(int server) {
            return server == servers;
        }

        @Override
        public void allocationChanged(SimNode node) {
            if (opened != null) {
                opened.report(node);
            }
        }

        @Override
        public void machineChanged(Machine machine) {
            if (opened != null) {
                opened.report(machine);
            }
        }
    }

    private final class ClockedPool implements Pool {
        private final ServerProcess process = new ServerProcess(DC1, ++servers, trace);
        private final SimPool pool = new SimPool(process, world);

        @Override
        public void start(FactSink facts, PoolRecords records) {
            opened = pool;
            pool.start(facts, records);
            runClock();
        }

        @Override
        public void reserve(Command.Reserve command, long epoch) {
            pool.reserve(command, epoch);
            runClock();
        }

        @Override
        public void launch(Command.Launch command, long epoch) {
            pool.launch(command, epoch);
            runClock();
        }

        @Override
        public void relaunch(Command.Relaunch command, long epoch) {
            pool.relaunch(command, epoch);
            runClock();
        }

        @Override
        public void kill(Command.Kill command, long epoch) {
            pool.kill(command, epoch);
            runClock();
        }

        @Override
        public void release(Command.Release command, long epoch) {
            pool.release(command, epoch);
            runClock();
        }

        @Override
        public Optional<ExecutorAccess> access(AllocationId allocation) {
            return pool.access(allocation);
        }

        @Override
        public void close() {
            pool.close();
            process.end();
        }
    }

    private void runClock() {
        clock.runUntil(clock.nowMillis() + OUTCOME_MILLIS);
    }

    private SimNode node(Allocation allocation) {
        return world.nodes(DC1).get(allocation.id());
    }

    @Override
    protected Pool open() {
        return new ClockedPool();
    }

    @Override
    protected Allocation allocation(int index) {
        return new Allocation(
                new AllocationId("rides-dc1-node-" + index + "-1"),
                new NodeId(SampleRecords.RIDES, DC1, index),
                new MachineName("machine-1"),
                new NodePorts(7000 + index, 7100 + index, 9042 + index, 9500 + index),
                SampleRecords.RESOURCES);
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return Optional.ofNullable(node(allocation))
                .filter(n -> n.executor().isUp())
                .map(n -> n.place().state().since().toString());
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        node(allocation).executorExited();
        runClock();
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        node(allocation).addRows(text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return Optional.ofNullable(node(allocation)).flatMap(SimNode::anyRows);
    }
}
