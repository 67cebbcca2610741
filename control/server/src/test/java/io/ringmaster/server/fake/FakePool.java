package io.ringmaster.server.fake;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pool with {@link FakeExecutor}s instead of processes that start Cassandra. Executes every command at once. */
public final class FakePool implements Pool {
    public static final String TOKEN = "token-of-a-fake-executor";

    private final List<Machine> machines;
    private final FakeRing ring;
    private final Map<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final Map<AllocationId, FakeExecutor> executors = new TreeMap<>();
    private @Nullable FactSink facts;

    public FakePool(List<Machine> machines, FakeRing ring) {
        this.machines = machines;
        this.ring = ring;
    }

    @Override
    public synchronized void start(FactSink sink) {
        facts = sink;
        sink.accept(new Fact.PoolSeen(machines, List.copyOf(allocations.values())));
    }

    @Override
    public synchronized void reserve(Command.Reserve command) {
        if (!allocations.containsKey(command.allocation().id())) {
            becomes(command.allocation(), AllocationState.Status.RESERVED);
        }
    }

    @Override
    public synchronized void launch(Command.Launch command) {
        Allocation allocation = command.allocation();
        executors.computeIfAbsent(allocation.id(), id -> new FakeExecutor(allocation, command.target(), TOKEN, ring));
        becomes(allocation, AllocationState.Status.RUNNING);
    }

    @Override
    public synchronized void kill(Command.Kill command) {
        FakeExecutor executor = executors.remove(command.allocation());
        if (executor != null) {
            executor.close();
        }
        AllocationState state = allocations.get(command.allocation());
        if (state != null) {
            becomes(state.allocation(), AllocationState.Status.RESERVED);
        }
    }

    @Override
    public synchronized void release(Command.Release command) {
        AllocationState state = allocations.get(command.allocation());
        if (state != null && !command.destroyVolume()) {
            becomes(state.allocation(), AllocationState.Status.RELEASED);
        } else if (state != null) {
            allocations.remove(command.allocation());
            report(new Fact.AllocationGone(command.allocation()));
        }
    }

    @Override
    public synchronized Optional<ExecutorAccess> access(AllocationId id) {
        return Optional.ofNullable(allocations.get(id))
                .map(AllocationState::allocation)
                .map(a -> ExecutorAccess.http(a.address(), a.ports().executor(), TOKEN));
    }

    /** Stops reporting; the executors keep running. */
    @Override
    public synchronized void close() {
        facts = null;
    }

    /** Stops all executors at the end of a test. */
    public synchronized void stopExecutors() {
        executors.values().forEach(FakeExecutor::close);
        executors.clear();
    }

    private void becomes(Allocation allocation, AllocationState.Status status) {
        var state = new AllocationState(allocation, status, Instant.now(), null, null);
        allocations.put(allocation.id(), state);
        report(new Fact.AllocationChanged(state));
    }

    private void report(Fact fact) {
        if (facts != null) {
            facts.accept(fact);
        }
    }
}
