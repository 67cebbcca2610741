package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
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

/** The simulated client keeps the contract while virtual time passes. */
class SimExecutorClientTest extends ExecutorClientContract {
    private static final int PASS_MILLIS = 20;

    private final VirtualClock clock = new VirtualClock();
    private final Trace trace = new Trace(clock, line -> {});
    private final World world = new World(
            clock,
            new SeededRandom(1),
            trace,
            new ActiveFaults(Set.of()),
            Mutation.NONE,
            List.of(PoolKind.FIXED, PoolKind.FIXED));

    SimExecutorClientTest() {
        world.connect(SampleRecords.DC1, new NoServers());
    }

    private static final class NoServers implements DatacenterServers {
        @Override
        public Optional<SeedAnswer> seeds(NodeId node) {
            return Optional.empty();
        }

        @Override
        public boolean isLeader(int server) {
            return false;
        }

        @Override
        public void allocationChanged(SimNode node) {}

        @Override
        public void machineChanged(Machine machine) {}
    }

    @Override
    protected ExecutorClient open() {
        return new SimExecutorClient(new ServerProcess(SampleRecords.DC1, 1, trace), world);
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        SimNode node =
                world.nodes(SampleRecords.DC1).computeIfAbsent(allocation.id(), id -> new SimNode(world, allocation));
        node.place().launching(first.generation(), "starts the executor");
        node.launched();
        node.executor().take(first);
    }

    @Override
    protected void stopExecutor(Allocation allocation) {
        node(allocation).executorExited();
    }

    @Override
    protected NodeTarget targetInForce(Allocation allocation) {
        return node(allocation).executor().target().orElseThrow();
    }

    @Override
    protected void pass() {
        clock.runUntil(clock.nowMillis() + PASS_MILLIS);
    }

    private SimNode node(Allocation allocation) {
        return world.nodes(SampleRecords.DC1).get(allocation.id());
    }
}
