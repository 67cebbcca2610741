package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.SimIdentity;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A server's connection to the executors: it polls each watched node and reports changes and silence. */
final class SimExecutorClient implements ExecutorClient {
    private static final int POLL_MILLIS = 500;
    private static final int REPEAT_MILLIS = 5000;

    private static final class Watched {
        private final Allocation allocation;
        private @Nullable NodeStatus reported;
        private long reportedMillis = -REPEAT_MILLIS;
        private long sent;
        private long arrived;

        Watched(Allocation allocation) {
            this.allocation = allocation;
        }
    }

    private final ServerProcess process;
    private final World world;
    private final Map<NodeId, Watched> watched = new TreeMap<>();
    private FactSink facts = fact -> {};

    SimExecutorClient(ServerProcess process, World world) {
        this.process = process;
        this.world = world;
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        poll();
    }

    private void poll() {
        if (process.isAlive()) {
            watched.forEach(this::poll);
            world.clock().after(POLL_MILLIS, this::poll);
        }
    }

    private void poll(NodeId id, Watched watch) {
        NodeStatus now = reachable(watch.allocation).map(SimNode::status).orElse(null);
        boolean repeat = world.nowMillis() - watch.reportedMillis >= REPEAT_MILLIS;
        boolean changed = now == null ? watch.reported != null : !now.equals(watch.reported);
        if (changed || repeat) {
            watch.reported = now;
            watch.reportedMillis = world.nowMillis();
            Fact fact = now == null ? new Fact.NodeSilent(id, "connection refused") : new Fact.NodeReported(now);
            long number = ++watch.sent;
            world.network().send(1, 100, () -> arrive(id, watch, number, fact));
        }
    }

    /** Drops an answer that a later one has overtaken, and every answer after a forget. */
    private void arrive(NodeId id, Watched watch, long number, Fact fact) {
        if (watched.get(id) == watch && number >= watch.arrived) {
            watch.arrived = number;
            facts.accept(fact);
        }
    }

    private Optional<SimNode> reachable(Allocation allocation) {
        return Optional.ofNullable(world.nodes(process.datacenter()).get(allocation.id()))
                .filter(n ->
                        n.executor().isUp() && n.machineUp() && !world.network().isCutOff(allocation.id()));
    }

    @Override
    public void watch(Command.Watch command) {
        process.call("before watch " + command.node());
        watched.put(command.node(), new Watched(command.allocation()));
        process.call("after watch " + command.node());
    }

    @Override
    public void apply(Command.Apply command) {
        process.call("before apply " + command.target().node());
        process.trace("apply " + command.target().node() + " generation "
                + command.target().generation());
        world.network().sendOrLose(1, 100, () -> reachable(command.allocation())
                .filter(n ->
                        !command.onlyWhileDown() || !n.daemon().isUp() || world.planted() == Mutation.CONDITION_DROPPED)
                .ifPresent(n -> n.executor().take(command.target())));
        process.call("after apply " + command.target().node());
    }

    @Override
    public void forget(Command.Forget command) {
        process.call("before forget " + command.node());
        watched.remove(command.node());
        process.call("after forget " + command.node());
    }

    @Override
    public void makeAuthority(Command.MakeAuthority command) {
        CertificatePem certificate = SimIdentity.certificate(command.authority());
        world.clock().after(1, () -> facts.accept(new Fact.AuthorityMade(command.authority(), certificate)));
    }

    @Override
    public void certify(Command.Certify command) {
        process.call("before certify " + command.node());
        world.network().sendOrLose(1, 100, () -> reachable(command.allocation())
                .ifPresent(n -> n.identity().take(command)));
        process.call("after certify " + command.node());
    }

    @Override
    public void close() {}
}
