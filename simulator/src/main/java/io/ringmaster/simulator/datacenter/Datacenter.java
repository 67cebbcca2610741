package io.ringmaster.simulator.datacenter;

import io.ringmaster.controller.Controller;
import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.DatacenterServers;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The servers of one datacenter. At most one of them holds the lead in truth; another one may believe that it does. */
public final class Datacenter implements DatacenterServers {
    private static final int MAX_ELECTION_MILLIS = 8000;

    private final World world;
    private final DatacenterName name;
    private final SimPeers.Exchange network;
    private final List<SimServer> servers = new ArrayList<>();
    private @Nullable SimServer leader;
    private int started;

    Datacenter(World world, DatacenterName name, SimPeers.Exchange network) {
        this.world = world;
        this.name = name;
        this.network = network;
    }

    public DatacenterName name() {
        return name;
    }

    SimPeers.Exchange network() {
        return network;
    }

    /** Starts a server and elects it. */
    public void elect() {
        SimServer server = new SimServer(this, world, ++started);
        servers.add(server);
        leader = server;
        server.start(world.store(name).nextEpoch());
    }

    /** The leader's session expires: another server is elected at once, and the old one learns of it later. */
    void loseSession() {
        SimServer old = leader;
        if (old == null) {
            return;
        }
        world.trace().add(name.value(), "session expires of server " + old.number());
        elect();
        world.clock().after(world.random().between(0, MAX_ELECTION_MILLIS), old::stop);
    }

    /** A server died; another one starts later. */
    void died(SimServer server) {
        servers.remove(server);
        if (leader == server) {
            leader = null;
            world.clock().after(world.random().between(500, MAX_ELECTION_MILLIS), () -> {
                if (leader == null) {
                    elect();
                }
            });
        }
    }

    boolean hasLeader() {
        return leader != null;
    }

    void killLeaderAtCall(int calls) {
        if (leader != null) {
            leader.killAtCall(calls);
        }
    }

    private Optional<SimServer> activeLeader() {
        return Optional.ofNullable(leader).filter(SimServer::leads);
    }

    /** The view of the server that leads in truth and knows it. */
    public Optional<View> leaderView() {
        return activeLeader().map(SimServer::view);
    }

    /** The view of the elected server, which may not have loaded its records yet. */
    public Optional<View> electedView() {
        return Optional.ofNullable(leader).map(SimServer::view);
    }

    public boolean isLed() {
        return activeLeader().isPresent();
    }

    /** What the elected server answers; empty if there is none or it dies first. */
    public <T> Optional<T> ask(Function<Controller, T> request) {
        return Optional.ofNullable(leader).flatMap(s -> s.ask(request));
    }

    @Override
    public Optional<SeedAnswer> seeds(NodeId node) {
        boolean wait = world.planted() != Mutation.SEED_ADDRESS_NOT_AWAITED
                || world.pool(name).kind().hasFixedAddresses();
        return leaderView()
                .flatMap(v -> Seeds.answer(v, node))
                .map(a -> wait || a.usable() ? a : new SeedAnswer(true, List.of()));
    }

    @Override
    public boolean isLeader(int server) {
        return leader != null && leader.number() == server;
    }

    @Override
    public void allocationChanged(SimNode node) {
        List.copyOf(servers).forEach(s -> s.pool().report(node));
    }

    @Override
    public void machineChanged(Machine machine) {
        List.copyOf(servers).forEach(s -> s.pool().report(machine));
    }

    /** A report of another datacenter arrives. */
    void receive(DatacenterReport report) {
        if (leader != null) {
            leader.peers().receive(report);
        }
    }
}
