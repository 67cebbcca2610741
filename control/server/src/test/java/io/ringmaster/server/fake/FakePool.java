package io.ringmaster.server.fake;

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
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pool of {@link FakeExecutor}s, where a real pool would start Cassandra. It carries out every command at once. */
public class FakePool implements Pool {
    private final List<Machine> machines = new ArrayList<>();
    private final FakeRing ring;
    private final Map<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final Map<AllocationId, FakeExecutor> executors = new TreeMap<>();

    /** The targets that the executors of before left on the volumes. */
    private final Map<AllocationId, NodeTarget> targets = new TreeMap<>();

    private final Map<AllocationId, Long> launchGenerations = new TreeMap<>();

    private @Nullable FactSink facts;
    private long newestEpoch;
    private long revision;

    public FakePool(List<Machine> machines, FakeRing ring) {
        this.machines.addAll(machines);
        this.ring = ring;
    }

    @Override
    public synchronized void start(FactSink sink, PoolRecords records) {
        facts = sink;
        sink.accept(new Fact.PoolSeen(
                List.copyOf(machines), List.copyOf(allocations.values()), PoolCapabilities.OF_MACHINES, revision));
    }

    private synchronized void carryOut(long epoch, Runnable effect) {
        if (epoch >= newestEpoch) {
            newestEpoch = epoch;
            effect.run();
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        carryOut(epoch, () -> reserve(command.allocation()));
    }

    private void reserve(Allocation wanted) {
        if (machines.stream().noneMatch(m -> m.name().equals(wanted.machine()))) {
            fail(wanted, "there is no machine " + wanted.machine() + " in this pool");
            return;
        }
        AllocationState state = allocations.get(wanted.id());
        boolean stays = state != null && state.status() != Status.RELEASED && state.status() != Status.FAILED;
        becomes(wanted, stays ? state.status() : Status.RESERVED, null);
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        carryOut(epoch, () -> launch(command.allocation(), command.generation()));
    }

    private void launch(Allocation allocation, long generation) {
        AllocationState state = allocations.get(allocation.id());
        if (state == null || state.status() == Status.RELEASED) {
            fail(allocation, "reserve it first");
            return;
        }
        if (!executors.containsKey(allocation.id())) {
            launchGenerations.merge(allocation.id(), generation, Math::max);
            becomes(allocation, Status.LAUNCHING, "starts the executor");
            executors.put(
                    allocation.id(),
                    new FakeExecutor(
                            allocation,
                            address(allocation),
                            targets.get(allocation.id()),
                            token(allocation.id()),
                            ring));
        }
        becomes(allocation, Status.RUNNING, null);
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        carryOut(epoch, () -> {
            AllocationId id = command.allocation().id();
            boolean runs = executors.containsKey(id);
            if (launchGenerations.getOrDefault(id, 0L) >= command.generation()) {
                return;
            }
            if (runs) {
                becomes(command.allocation(), Status.LAUNCHING, "ends what runs");
                end(id);
            }
            launch(command.allocation(), command.generation());
        });
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        carryOut(epoch, () -> {
            AllocationState state = allocations.get(command.allocation());
            end(command.allocation());
            if (state == null) {
                report(new Fact.AllocationGone(command.allocation(), ++revision));
            } else {
                becomes(
                        state.allocation(),
                        state.status() == Status.RELEASED ? Status.RELEASED : Status.RESERVED,
                        null);
            }
        });
    }

    @Override
    public void release(Command.Release command, long epoch) {
        carryOut(epoch, () -> {
            AllocationState state = allocations.get(command.allocation());
            end(command.allocation());
            if (state == null || command.destroyVolume()) {
                allocations.remove(command.allocation());
                targets.remove(command.allocation());
                report(new Fact.AllocationGone(command.allocation(), ++revision));
            } else {
                becomes(state.allocation(), Status.RELEASED, null);
            }
        });
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
                .map(a -> ExecutorAccess.http(address(a), a.ports().executor(), token(id)));
    }

    private String address(Allocation allocation) {
        return machines.stream()
                .filter(m -> m.name().equals(allocation.machine()))
                .map(Machine::address)
                .findFirst()
                .orElse("127.0.0.1");
    }

    static String token(AllocationId id) {
        return "token-of-" + id;
    }

    private void end(AllocationId id) {
        FakeExecutor executor = executors.remove(id);
        if (executor != null) {
            executor.target().ifPresent(target -> targets.put(id, target));
            executor.close();
        }
    }

    /** Stops reporting; the executors keep running. */
    @Override
    public synchronized void close() {
        facts = null;
    }

    /** How long each mode of a node's start lasts, in all pools of this ring. */
    public void pace(Duration each) {
        ring.pace(each);
    }

    /** The daemons of the datacenter's nodes with this index exit again and again. Returns their names. */
    public synchronized List<NodeId> fail(int index, Problem why) {
        return each(index, executor -> executor.fail(why));
    }

    /** Starts these daemons again. Returns their names. */
    public synchronized List<NodeId> recover(int index) {
        return each(index, FakeExecutor::recover);
    }

    private List<NodeId> each(int index, Consumer<FakeExecutor> act) {
        var nodes = new ArrayList<NodeId>();
        executors.forEach((id, executor) -> {
            NodeId node = allocations.get(id).allocation().node();
            if (node.index() == index) {
                act.accept(executor);
                nodes.add(node);
            }
        });
        return nodes;
    }

    /** The pool loses contact with the machine, and what runs there ends. False when there is no such machine. */
    public synchronized boolean lose(MachineName name) {
        for (Machine machine : List.copyOf(machines)) {
            if (machine.name().equals(name)) {
                var lost = new Machine(
                        name,
                        machine.rack(),
                        machine.address(),
                        machine.cpuMillis(),
                        machine.memoryBytes(),
                        machine.diskBytes(),
                        machine.ports(),
                        machine.cordoned(),
                        Machine.State.UNREACHABLE);
                machines.replaceAll(m -> m.equals(machine) ? lost : m);
                report(new Fact.MachineChanged(lost, ++revision));
                loseAllocations(name);
                return true;
            }
        }
        return false;
    }

    private void loseAllocations(MachineName machine) {
        for (AllocationState state : List.copyOf(allocations.values())) {
            if (state.allocation().machine().equals(machine)) {
                ring.goesDown(state.allocation().node());
                FakeExecutor executor = executors.remove(state.id());
                if (executor != null) {
                    executor.vanish();
                }
                becomes(state.allocation(), Status.UNREACHABLE, "its machine is lost");
            }
        }
    }

    /** Ends all executors at the end of a test. */
    public synchronized void stopExecutors() {
        executors.values().forEach(FakeExecutor::close);
        executors.clear();
    }

    private void becomes(Allocation allocation, Status status, @Nullable String detail) {
        put(AllocationState.of(allocation, status, Instant.now(), ++revision)
                .at(address(allocation))
                .withDetail(detail));
    }

    private void fail(Allocation allocation, String why) {
        put(AllocationState.failed(allocation, Instant.now(), ++revision, Problem.of(ErrorCode.POOL_UNAVAILABLE, why)));
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
