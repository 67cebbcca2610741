package io.ringmaster.wire.node;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;

class HttpExecutorClientContractTest extends ExecutorClientContract {
    private static final HttpExecutorClient.Timing QUICK = new HttpExecutorClient.Timing(
            Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofMillis(100));

    private final Map<AllocationId, ExecutorDouble> executors = new TreeMap<>();

    @AfterEach
    void stopExecutors() {
        executors.values().forEach(ExecutorDouble::close);
    }

    @Override
    protected ExecutorClient open() {
        return new HttpExecutorClient(id -> Optional.of("token"), QUICK);
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        executors.put(allocation.id(), new ExecutorDouble(allocation.ports().executor(), first));
    }

    @Override
    protected void stopExecutor(Allocation allocation) {
        executors.remove(allocation.id()).close();
    }

    @Override
    protected NodeTarget targetInForce(Allocation allocation) {
        return executors.get(allocation.id()).target();
    }
}
