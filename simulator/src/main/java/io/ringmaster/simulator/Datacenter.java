package io.ringmaster.simulator;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One datacenter: its store, which survives, and its servers, which come and go. At most one of them leads in truth; another may think so. */
final class Datacenter {
    private final World world;
    final DatacenterName name;
    final InMemoryStore records = new InMemoryStore();
    private final List<SimServer> servers = new ArrayList<>();
    private @Nullable SimServer leader;
    private int started;

    Datacenter(World world, DatacenterName name) {
        this.world = world;
        this.name = name;
    }

    World world() {
        return world;
    }

    /** Starts a server and lets it lead. */
    void elect() {
        SimServer server = new SimServer(this, ++started);
        servers.add(server);
        leader = server;
        server.start(records.nextEpoch());
    }

    /** The session is lost: another server leads at once, the old one learns of it later. */
    void loseSession() {
        SimServer old = leader;
        if (old == null) {
            return;
        }
        world.trace.add(name.value(), "session lost by server " + old.number());
        elect();
        world.timeline.in(world.chance.between(0, 8000), old::stop);
    }

    /** A server died; after a while another is started. */
    void died(SimServer server) {
        servers.remove(server);
        if (leader == server) {
            leader = null;
            world.timeline.in(world.chance.between(500, 8000), () -> {
                if (leader == null) {
                    elect();
                }
            });
        }
    }

    Optional<SimServer> leader() {
        return Optional.ofNullable(leader);
    }

    List<SimServer> servers() {
        return List.copyOf(servers);
    }

    Optional<SeedAnswer> seeds(NodeId node) {
        return leader().filter(SimServer::leads).flatMap(s -> Seeds.answer(s.view(), node));
    }

    /** A message of another datacenter's server. */
    void hear(DatacenterReport report) {
        leader().ifPresent(s -> s.peers().hear(report));
    }
}
