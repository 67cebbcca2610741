package io.ringmaster.controller;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A pool of {@link FakeNode}s, which outlives the servers that use it. It carries out every command at once. */
final class FakePool implements Pool {
    final List<Command> commands = new ArrayList<>();
    final Map<AllocationId, AllocationState> allocations = new TreeMap<>();
    final Map<AllocationId, FakeNode> nodes = new TreeMap<>();
    final Set<AllocationId> volumes = new TreeSet<>();
    private final List<Machine> machines;
    private final Clock clock;
    private FactSink facts = fact -> {};

    /** @param machines the list may change later */
    FakePool(List<Machine> machines, Clock clock) {
        this.machines = machines;
        this.clock = clock;
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        reportSnapshot();
    }

    void reportSnapshot() {
        facts.accept(new Fact.PoolSeen(List.copyOf(machines), List.copyOf(allocations.values())));
    }

    @Override
    public void reserve(Command.Reserve command) {
        commands.add(command);
        Allocation wanted = command.allocation();
        if (machines.stream().noneMatch(m -> m.name().equals(wanted.machine()))) {
            fail(wanted, "there is no machine " + wanted.machine() + " in this pool");
            return;
        }
        volumes.add(wanted.id());
        AllocationState state = allocations.get(wanted.id());
        boolean stays = state != null && state.status() != Status.RELEASED && state.status() != Status.FAILED;
        put(wanted, stays ? state.status() : Status.RESERVED, null);
    }

    @Override
    public void launch(Command.Launch command) {
        commands.add(command);
        Allocation allocation = command.allocation();
        AllocationState state = allocations.get(allocation.id());
        if (state == null || state.status() == Status.RELEASED) {
            fail(allocation, "reserve it first");
            return;
        }
        FakeNode node = nodes.computeIfAbsent(allocation.id(), id -> new FakeNode(allocation, command.target()));
        if (!node.executorRuns || node.executorStarts == 0) {
            put(allocation, Status.LAUNCHING, "starts the executor");
            node.startExecutor(command.target());
        }
        put(allocation, Status.RUNNING, null);
    }

    @Override
    public void kill(Command.Kill command) {
        commands.add(command);
        AllocationState state = allocations.get(command.allocation());
        nodes.remove(command.allocation());
        if (state == null) {
            facts.accept(new Fact.AllocationGone(command.allocation()));
        } else {
            put(state.allocation(), state.status() == Status.RELEASED ? Status.RELEASED : Status.RESERVED, null);
        }
    }

    @Override
    public void release(Command.Release command) {
        commands.add(command);
        nodes.remove(command.allocation());
        AllocationState state = allocations.get(command.allocation());
        if (state == null || command.destroyVolume()) {
            allocations.remove(command.allocation());
            volumes.remove(command.allocation());
            facts.accept(new Fact.AllocationGone(command.allocation()));
        } else {
            put(state.allocation(), Status.RELEASED, null);
        }
    }

    void executorDies(AllocationId id) {
        FakeNode node = nodes.get(id);
        if (node != null) {
            node.executorRuns = false;
            put(node.allocation, Status.EXITED, "killed");
        }
    }

    private void fail(Allocation allocation, String why) {
        put(AllocationState.failed(allocation, clock.now(), Problem.of(ErrorCode.POOL_UNAVAILABLE, why)));
    }

    private void put(Allocation allocation, Status status, @Nullable String detail) {
        put(new AllocationState(allocation, status, clock.now(), detail, null));
    }

    private void put(AllocationState state) {
        allocations.put(state.allocation().id(), state);
        facts.accept(new Fact.AllocationChanged(state));
    }

    /** For the contract: the tests call the fake executors directly. */
    @Override
    public Optional<ExecutorAccess> access(AllocationId id) {
        return Optional.ofNullable(allocations.get(id))
                .map(AllocationState::allocation)
                .map(a -> ExecutorAccess.http(a.address(), a.ports().executor(), "token-of-" + id));
    }

    @Override
    public void close() {
        facts = fact -> {};
    }
}
