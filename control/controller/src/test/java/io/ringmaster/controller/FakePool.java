package io.ringmaster.controller;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
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
    private final Map<AllocationId, Long> launchGenerations = new TreeMap<>();
    private FactSink facts = fact -> {};
    private long newestEpoch;
    private long revision;

    /** @param machines the list may change later */
    FakePool(List<Machine> machines, Clock clock) {
        this.machines = machines;
        this.clock = clock;
    }

    @Override
    public void start(FactSink sink, PoolRecords records) {
        facts = sink;
        reportSnapshot();
    }

    void reportSnapshot() {
        facts.accept(snapshot());
    }

    Fact.PoolSeen snapshot() {
        return new Fact.PoolSeen(
                List.copyOf(machines), List.copyOf(allocations.values()), PoolCapabilities.OF_MACHINES, revision);
    }

    private void carryOut(Command command, long epoch, Runnable effect) {
        commands.add(command);
        if (epoch >= newestEpoch) {
            newestEpoch = epoch;
            effect.run();
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        carryOut(command, epoch, () -> reserve(command.allocation()));
    }

    private void reserve(Allocation wanted) {
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
    public void launch(Command.Launch command, long epoch) {
        carryOut(command, epoch, () -> launch(command.allocation(), command.generation()));
    }

    private void launch(Allocation allocation, long generation) {
        AllocationState state = allocations.get(allocation.id());
        if (state == null || state.status() == Status.RELEASED) {
            fail(allocation, "reserve it first");
            return;
        }
        FakeNode node = nodes.computeIfAbsent(allocation.id(), id -> new FakeNode(allocation, address(allocation)));
        if (!node.executorRuns || node.executorStarts == 0) {
            launchGenerations.merge(allocation.id(), generation, Math::max);
            put(allocation, Status.LAUNCHING, "starts the executor");
            node.startExecutor();
        }
        put(allocation, Status.RUNNING, null);
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        carryOut(command, epoch, () -> {
            AllocationId id = command.allocation().id();
            FakeNode node = nodes.get(id);
            boolean runs = node != null && node.executorRuns;
            if (launchGenerations.getOrDefault(id, 0L) >= command.generation()) {
                return;
            }
            if (runs) {
                put(command.allocation(), Status.LAUNCHING, "ends what runs");
                node.daemonDies();
                node.executorRuns = false;
            }
            launch(command.allocation(), command.generation());
        });
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        carryOut(command, epoch, () -> {
            AllocationState state = allocations.get(command.allocation());
            nodes.remove(command.allocation());
            if (state == null) {
                gone(command.allocation());
            } else {
                put(state.allocation(), state.status() == Status.RELEASED ? Status.RELEASED : Status.RESERVED, null);
            }
        });
    }

    @Override
    public void release(Command.Release command, long epoch) {
        carryOut(command, epoch, () -> {
            nodes.remove(command.allocation());
            AllocationState state = allocations.get(command.allocation());
            if (state == null || command.destroyVolume()) {
                allocations.remove(command.allocation());
                volumes.remove(command.allocation());
                gone(command.allocation());
            } else {
                put(state.allocation(), Status.RELEASED, null);
            }
        });
    }

    void executorDies(AllocationId id) {
        FakeNode node = nodes.get(id);
        if (node != null) {
            node.executorRuns = false;
            put(node.allocation, Status.EXITED, "killed");
        }
    }

    private String address(Allocation allocation) {
        return machines.stream()
                .filter(m -> m.name().equals(allocation.machine()))
                .map(Machine::address)
                .findFirst()
                .orElse("127.0.0.1");
    }

    private void gone(AllocationId id) {
        facts.accept(new Fact.AllocationGone(id, ++revision));
    }

    private void fail(Allocation allocation, String why) {
        put(AllocationState.failed(allocation, clock.now(), ++revision, Problem.of(ErrorCode.POOL_UNAVAILABLE, why)));
    }

    private void put(Allocation allocation, Status status, @Nullable String detail) {
        put(AllocationState.of(allocation, status, clock.now(), ++revision)
                .at(address(allocation))
                .withDetail(detail));
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
                .map(a -> ExecutorAccess.http(address(a), a.ports().executor(), "token-of-" + id));
    }

    @Override
    public void close() {
        facts = fact -> {};
    }
}
