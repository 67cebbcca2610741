package io.ringmaster.server.fake;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pool of {@link FakeExecutor}s, where a real pool would start Cassandra. It carries out every command at once. */
public final class FakePool implements Pool {
    private final List<Machine> machines;
    private final FakeRing ring;
    private final Map<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final Map<AllocationId, FakeExecutor> executors = new TreeMap<>();

    /** The targets that the executors of before left on the volumes. */
    private final Map<AllocationId, NodeTarget> targets = new TreeMap<>();

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
        Allocation wanted = command.allocation();
        if (machines.stream().noneMatch(m -> m.name().equals(wanted.machine()))) {
            fail(wanted, "there is no machine " + wanted.machine() + " in this pool");
            return;
        }
        AllocationState state = allocations.get(wanted.id());
        boolean stays = state != null && state.status() != Status.RELEASED && state.status() != Status.FAILED;
        becomes(wanted, stays ? state.status() : Status.RESERVED, null);
    }

    @Override
    public synchronized void launch(Command.Launch command) {
        Allocation allocation = command.allocation();
        AllocationState state = allocations.get(allocation.id());
        if (state == null || state.status() == Status.RELEASED) {
            fail(allocation, "reserve it first");
            return;
        }
        if (!executors.containsKey(allocation.id())) {
            becomes(allocation, Status.LAUNCHING, "starts the executor");
            NodeTarget target = targets.merge(
                    allocation.id(),
                    command.target(),
                    (kept, given) -> kept.generation() > given.generation() ? kept : given);
            executors.put(allocation.id(), new FakeExecutor(allocation, target, token(allocation.id()), ring));
        }
        becomes(allocation, Status.RUNNING, null);
    }

    @Override
    public synchronized void kill(Command.Kill command) {
        AllocationState state = allocations.get(command.allocation());
        end(command.allocation());
        if (state == null) {
            report(new Fact.AllocationGone(command.allocation()));
        } else {
            becomes(state.allocation(), state.status() == Status.RELEASED ? Status.RELEASED : Status.RESERVED, null);
        }
    }

    @Override
    public synchronized void release(Command.Release command) {
        AllocationState state = allocations.get(command.allocation());
        end(command.allocation());
        if (state == null || command.destroyVolume()) {
            allocations.remove(command.allocation());
            targets.remove(command.allocation());
            report(new Fact.AllocationGone(command.allocation()));
        } else {
            becomes(state.allocation(), Status.RELEASED, null);
        }
    }

    /** Ends an executor that runs, as a crash does. */
    synchronized void crash(AllocationId id) {
        end(id);
        becomes(allocations.get(id).allocation(), Status.EXITED, "killed");
    }

    synchronized boolean hasVolume(AllocationId id) {
        return allocations.containsKey(id);
    }

    /** Null if no executor runs. */
    synchronized @Nullable FakeExecutor executor(AllocationId id) {
        return executors.get(id);
    }

    @Override
    public synchronized Optional<ExecutorAccess> access(AllocationId id) {
        return Optional.ofNullable(allocations.get(id))
                .map(AllocationState::allocation)
                .map(a -> ExecutorAccess.http(a.address(), a.ports().executor(), token(id)));
    }

    static String token(AllocationId id) {
        return "token-of-" + id;
    }

    private void end(AllocationId id) {
        FakeExecutor executor = executors.remove(id);
        if (executor != null) {
            targets.put(id, executor.target());
            executor.close();
        }
    }

    /** Stops reporting; the executors keep running. */
    @Override
    public synchronized void close() {
        facts = null;
    }

    /** Ends all executors at the end of a test. */
    public synchronized void stopExecutors() {
        executors.values().forEach(FakeExecutor::close);
        executors.clear();
    }

    private void becomes(Allocation allocation, Status status, @Nullable String detail) {
        put(new AllocationState(allocation, status, Instant.now(), detail, null));
    }

    private void fail(Allocation allocation, String why) {
        put(AllocationState.failed(allocation, Instant.now(), Problem.of(ErrorCode.POOL_UNAVAILABLE, why)));
    }

    private void put(AllocationState state) {
        allocations.put(state.allocation().id(), state);
        report(new Fact.AllocationChanged(state));
    }

    private void report(Fact fact) {
        if (facts != null) {
            facts.accept(fact);
        }
    }
}
