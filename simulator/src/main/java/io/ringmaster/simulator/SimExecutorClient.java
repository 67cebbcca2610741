package io.ringmaster.simulator;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A server's way to the executors: looks at each watched node often, tells what changed, and says when one is silent. */
final class SimExecutorClient implements ExecutorClient {
    private static final int LOOK_MILLIS = 500;
    private static final int REPEAT_MILLIS = 5000;

    private static final class Watched {
        final Allocation allocation;

        @Nullable
        NodeStatus told;

        long toldMillis = -REPEAT_MILLIS;
        long sent;
        long arrived;

        Watched(Allocation allocation) {
            this.allocation = allocation;
        }
    }

    private final SimServer server;
    private final World world;
    private final Map<NodeId, Watched> watched = new TreeMap<>();
    private FactSink facts = fact -> {};

    SimExecutorClient(SimServer server) {
        this.server = server;
        this.world = server.world();
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        look();
    }

    private void look() {
        if (server.alive()) {
            watched.forEach(this::look);
            world.timeline.in(LOOK_MILLIS, this::look);
        }
    }

    private void look(NodeId id, Watched watch) {
        NodeStatus now = executor(watch.allocation).map(SimNode::status).orElse(null);
        boolean repeat = world.timeline.nowMillis() - watch.toldMillis >= REPEAT_MILLIS;
        boolean changed = now == null ? watch.told != null : !now.equals(watch.told);
        if (changed || repeat) {
            watch.told = now;
            watch.toldMillis = world.timeline.nowMillis();
            Fact fact = now == null ? new Fact.NodeSilent(id, "connection refused") : new Fact.NodeReported(now);
            long number = ++watch.sent;
            Messages.send(world, 1, 100, () -> arrives(id, watch, number, fact));
        }
    }

    /** Answers to one question after another do not overtake each other, as late as they may be; after a forget none is taken. */
    private void arrives(NodeId id, Watched watch, long number, Fact fact) {
        if (watched.get(id) == watch && number >= watch.arrived) {
            watch.arrived = number;
            facts.accept(fact);
        }
    }

    private Optional<SimNode> executor(Allocation allocation) {
        return Optional.ofNullable(world.nodes(server.datacenter().name).get(allocation.id()))
                .filter(n -> n.executorUp && n.machineUp());
    }

    @Override
    public void watch(Command.Watch command) {
        server.calls("before watch " + command.node());
        watched.put(command.node(), new Watched(command.allocation()));
        server.calls("after watch " + command.node());
    }

    @Override
    public void apply(Command.Apply command) {
        server.calls("before apply " + command.target().node());
        server.trace("apply " + command.target().node() + " generation "
                + command.target().generation());
        Messages.sendOrLose(
                world, 1, 100, () -> executor(command.allocation()).ifPresent(n -> n.take(command.target())));
        server.calls("after apply " + command.target().node());
    }

    @Override
    public void forget(Command.Forget command) {
        server.calls("before forget " + command.node());
        watched.remove(command.node());
        server.calls("after forget " + command.node());
    }

    @Override
    public void close() {}
}
