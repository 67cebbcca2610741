package io.ringmaster.controller;

import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.store.memory.InMemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A pool with its nodes, and a server on an in-memory store. Facts wait until they are delivered; pool and store
 * survive the server.
 */
final class FakeDatacenter {
    final DatacenterName name;
    InMemoryStore store = new InMemoryStore();
    final List<Event> events = new ArrayList<>();
    final Map<NodeId, AllocationId> watched = new LinkedHashMap<>();
    final Set<DatacenterName> known = new TreeSet<>();
    final List<Machine> machines;
    final FakePool pool;
    /** The commands to the pool and the executors. */
    final List<Command> commands;

    final Map<AllocationId, AllocationState> allocations;
    final Map<AllocationId, FakeNode> nodes;
    final Set<AllocationId> volumes;

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
        this.pool = new FakePool(machines, clock);
        this.commands = pool.commands;
        this.allocations = pool.allocations;
        this.nodes = pool.nodes;
        this.volumes = pool.volumes;
        this.controller = start();
    }

    /** Kills the server: only the store, the pool and the nodes remain. */
    void restart() {
        controller = start();
        elect();
    }

    /** The server starts with an empty store; pool and nodes remain. */
    void loseStore() {
        store = new InMemoryStore();
        restart();
    }

    private Controller start() {
        waiting.clear();
        watched.clear();
        return new Controller(
                name, List.of("http://" + name), store, pool, executorClient, peers, clock, 1, events::add);
    }

    void elect() {
        long epoch = store.nextEpoch();
        controller.elected(epoch);
        pool.start(waiting::add, store.poolRecords(epoch));
    }

    void tellPicture() {
        pool.reportSnapshot();
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
        pool.executorDies(id);
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
            boolean refuses = node != null && command.onlyWhileDown() && node.mode != OperatingMode.DOWN;
            if (node != null && node.executorRuns && !refuses) {
                node.apply(command.target());
            }
        }

        @Override
        public void forget(Command.Forget command) {
            commands.add(command);
            watched.remove(command.node());
            dropFacts(command.node());
        }

        @Override
        public void makeAuthority(Command.MakeAuthority command) {
            commands.add(command);
            waiting.add(new Fact.AuthorityMade(
                    command.authority(), new CertificatePem("certificate of " + command.authority())));
        }

        @Override
        public void certify(Command.Certify command) {
            commands.add(command);
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
