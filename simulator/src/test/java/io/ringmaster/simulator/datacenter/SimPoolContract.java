package io.ringmaster.simulator.datacenter;

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
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.SimNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A simulated pool keeps the contract. Each call runs the virtual clock until its outcome is reported. */
abstract class SimPoolContract extends PoolContract {
    /** Longer than a pod waits for its volume. */
    private static final int OUTCOME_MILLIS = 20_000;

    private static final DatacenterName DC1 = TestWorld.DC1;

    private final TestWorld sim;
    private @Nullable SimPool opened;
    private int servers;

    SimPoolContract(PoolKind kind) {
        sim = new TestWorld(kind);
        sim.connect(new OneServer());
        // time passes also while nothing happens
        sim.clock.every(OUTCOME_MILLIS, () -> {});
    }

    /** A server without a controller. */
    private final class OneServer extends TestWorld.NoServers {
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
        private final ServerProcess process = sim.process(DC1, ++servers);
        private final SimPool pool = new SimPool(process, sim.world);

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
        sim.pass(OUTCOME_MILLIS);
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
        return Optional.ofNullable(sim.node(allocation))
                .filter(n -> n.executor().isUp())
                .map(n -> n.place().state().since().toString());
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        sim.node(allocation).executorExited();
        runClock();
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        sim.node(allocation).addRows(text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return Optional.ofNullable(sim.node(allocation)).flatMap(SimNode::anyRows);
    }
}
