package io.ringmaster.wire.node;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.ports.SampleRecords;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;

class HttpExecutorClientContractTest extends ExecutorClientContract {
    private static final HttpExecutorClient.Timing QUICK = new HttpExecutorClient.Timing(
            Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofMillis(100));

    private final Map<AllocationId, ExecutorDouble> executors = new TreeMap<>();
    private final Map<AllocationId, ExecutorAccess> accesses = new ConcurrentHashMap<>();

    @AfterEach
    void stopExecutors() {
        executors.values().forEach(ExecutorDouble::close);
    }

    @Override
    protected ExecutorClient open() {
        return new HttpExecutorClient(
                id -> Optional.ofNullable(accesses.get(id)),
                new FakeAuthorities(SampleRecords.DC1),
                RolePasswords.NONE,
                SampleRecords.DC1,
                Instant::now,
                QUICK);
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        int port = allocation.ports().executor();
        executors.put(allocation.id(), new ExecutorDouble(port, first));
        accesses.put(allocation.id(), ExecutorAccess.http(ADDRESS, port, "token"));
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
