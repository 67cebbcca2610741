package io.ringmaster.controller;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.store.memory.InMemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A pool, its nodes and a server over an in-memory store. Facts wait until they are delivered; a restarted server misses none of the state. */
final class FakeDatacenter {
    final DatacenterName name;
    final InMemoryStore store = new InMemoryStore();
    final List<Event> events = new ArrayList<>();
    final List<Command> commands = new ArrayList<>();
    final Map<AllocationId, AllocationState> allocations = new TreeMap<>();
    final Map<AllocationId, FakeNode> nodes = new TreeMap<>();
    final Set<AllocationId> volumes = new TreeSet<>();
    final Map<NodeId, AllocationId> watched = new LinkedHashMap<>();
    final Set<DatacenterName> known = new TreeSet<>();
    final List<Machine> machines;

    @Nullable
    DatacenterReport published;

    boolean reachable = true;
    final ExecutorClient executorClient = new FakeExecutorClient();
    final Peers peers = new FakePeers();
    Controller controller;
    private FactSink sink = fact -> controller.accept(fact);
    private final Clock clock;
    private final Deque<Fact> waiting = new ArrayDeque<>();

    FakeDatacenter(DatacenterName name, List<Machine> machines, Clock clock) {
        this.name = name;
        this.machines = machines;
        this.clock = clock;
        this.controller = start();
    }

    /** As after kill -9: only the store, the pool and the nodes remain. */
    void restart() {
        controller = start();
        elect();
    }

    private Controller start() {
        waiting.clear();
        watched.clear();
        return new Controller(
                name, List.of("http://" + name), store, new FakePool(), executorClient, peers, clock, 1, events::add);
    }

    void elect() {
        controller.elected(store.nextEpoch());
        tellPicture();
    }

    void tellPicture() {
        waiting.add(new Fact.PoolSeen(machines, List.copyOf(allocations.values())));
    }

    void tell(Fact fact) {
        waiting.add(fact);
    }

    /** Delivers what waits now, and the status of every watched node. */
    void deliver(List<FakeNode> everywhere) {
        watched.forEach((id, allocation) -> {
            FakeNode node = nodes.get(allocation);
            waiting.add(
                    node == null || !node.executorRuns
                            ? new Fact.NodeSilent(id, "connection refused")
                            : new Fact.NodeReported(node.status(clock.now(), everywhere)));
        });
        for (int i = waiting.size(); i > 0 && !waiting.isEmpty(); i--) {
            sink.accept(waiting.remove());
        }
        controller.tick();
    }

    void executorDies(AllocationId id) {
        FakeNode node = nodes.get(id);
        if (node != null) {
            node.executorRuns = false;
            put(node.allocation, Status.EXITED, "killed");
        }
    }

    private void put(Allocation allocation, Status status, @Nullable String detail) {
        AllocationState state = new AllocationState(allocation, status, clock.now(), detail, null);
        allocations.put(allocation.id(), state);
        waiting.add(new Fact.AllocationChanged(state));
    }

    private final class FakePool implements Pool {
        @Override
        public void start(FactSink facts) {}

        @Override
        public void reserve(Command.Reserve command) {
            commands.add(command);
            Allocation claim = command.allocation();
            volumes.add(claim.id());
            AllocationState state = allocations.get(claim.id());
            boolean stays = state != null && state.status() != Status.RELEASED && state.status() != Status.FAILED;
            put(claim, stays ? state.status() : Status.RESERVED, null);
        }

        @Override
        public void launch(Command.Launch command) {
            commands.add(command);
            Allocation claim = command.allocation();
            if (!allocations.containsKey(claim.id())) {
                put(claim, Status.FAILED, "reserve it first");
                return;
            }
            FakeNode node = nodes.computeIfAbsent(claim.id(), id -> new FakeNode(claim, command.target()));
            if (!node.executorRuns) {
                node.executorRuns = true;
                node.apply(command.target());
            }
            put(claim, Status.RUNNING, null);
        }

        @Override
        public void kill(Command.Kill command) {
            commands.add(command);
            AllocationState state = allocations.get(command.allocation());
            nodes.remove(command.allocation());
            if (state == null) {
                waiting.add(new Fact.AllocationGone(command.allocation()));
            } else {
                put(state.allocation(), Status.RESERVED, null);
            }
        }

        /** The fake executors are called directly. */
        @Override
        public Optional<ExecutorAccess> access(AllocationId allocation) {
            return Optional.empty();
        }

        @Override
        public void release(Command.Release command) {
            commands.add(command);
            nodes.remove(command.allocation());
            AllocationState state = allocations.get(command.allocation());
            if (state == null || command.destroyVolume()) {
                allocations.remove(command.allocation());
                volumes.remove(command.allocation());
                waiting.add(new Fact.AllocationGone(command.allocation()));
            } else {
                put(state.allocation(), Status.RELEASED, null);
            }
        }

        @Override
        public void close() {}
    }

    private final class FakeExecutorClient implements ExecutorClient {
        @Override
        public void start(FactSink facts) {
            sink = facts;
        }

        @Override
        public void watch(Command.Watch command) {
            commands.add(command);
            AllocationId before =
                    watched.put(command.node(), command.allocation().id());
            if (before != null && !before.equals(command.allocation().id())) {
                dropFacts(command.node());
            }
        }

        @Override
        public void apply(Command.Apply command) {
            commands.add(command);
            FakeNode node = nodes.get(command.allocation().id());
            if (node != null && node.executorRuns) {
                node.apply(command.target());
            }
        }

        @Override
        public void forget(Command.Forget command) {
            commands.add(command);
            watched.remove(command.node());
            dropFacts(command.node());
        }

        private void dropFacts(NodeId node) {
            waiting.removeIf(
                    f -> (f instanceof Fact.NodeSilent silent && silent.node().equals(node))
                            || (f instanceof Fact.NodeReported reported
                                    && reported.status().node().equals(node)));
        }

        @Override
        public void close() {}
    }

    private final class FakePeers implements Peers {
        @Override
        public void start(FactSink facts) {
            sink = facts;
        }

        @Override
        public Set<DatacenterName> known() {
            return known;
        }

        @Override
        public void publish(DatacenterReport own) {
            published = own;
        }

        @Override
        public void close() {}
    }
}
