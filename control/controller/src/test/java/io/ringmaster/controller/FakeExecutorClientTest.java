package io.ringmaster.controller;

import io.ringmaster.core.Samples;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
import io.ringmaster.ports.FakeClock;
import java.util.List;

/** The executors of {@link FakeDatacenter}, without a controller that leads. */
class FakeExecutorClientTest extends ExecutorClientContract {
    private final FakeClock clock = new FakeClock();
    private final FakeDatacenter datacenter = new FakeDatacenter(Samples.DC1, List.of(), clock);

    @Override
    protected ExecutorClient open() {
        return datacenter.executorClient;
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        FakeNode node = new FakeNode(allocation, "127.1.1.1");
        node.apply(first);
        node.advance(); // its daemon starts
        datacenter.nodes.put(allocation.id(), node);
    }

    @Override
    protected void stopExecutor(Allocation allocation) {
        datacenter.executorDies(allocation.id());
    }

    @Override
    protected NodeTarget targetInForce(Allocation allocation) {
        return datacenter.nodes.get(allocation.id()).target;
    }

    @Override
    protected void pass() {
        clock.advanceMs(1000);
        datacenter.deliver(List.copyOf(datacenter.nodes.values()));
    }
}
