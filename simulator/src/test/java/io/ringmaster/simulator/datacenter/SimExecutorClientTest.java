package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.SimNode;

/** The simulated client keeps the contract while virtual time passes. */
class SimExecutorClientTest extends ExecutorClientContract {
    private static final int PASS_MILLIS = 20;

    private final TestWorld sim = new TestWorld(PoolKind.FIXED);

    SimExecutorClientTest() {
        sim.connect(new TestWorld.NoServers());
    }

    @Override
    protected ExecutorClient open() {
        return new SimExecutorClient(sim.process(TestWorld.DC1, 1), sim.world);
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        SimNode node = sim.world
                .nodes(TestWorld.DC1)
                .computeIfAbsent(allocation.id(), id -> new SimNode(sim.world, allocation));
        node.place().launching(first.generation(), "starts the executor");
        node.launched();
        node.executor().take(first);
    }

    @Override
    protected void stopExecutor(Allocation allocation) {
        sim.node(allocation).executorExited();
    }

    @Override
    protected NodeTarget targetInForce(Allocation allocation) {
        return sim.node(allocation).executor().target().orElseThrow();
    }

    @Override
    protected void pass() {
        sim.pass(PASS_MILLIS);
    }
}
