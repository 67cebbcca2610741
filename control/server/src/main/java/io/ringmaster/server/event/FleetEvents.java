package io.ringmaster.server.event;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.peer.HttpPeers;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the ring of the fleet with the events of other servers: a leader follows every other datacenter, a standby
 * follows the fleet stream of its leader. The own events come from {@link ControllerEvents}.
 */
public final class FleetEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FleetEvents.class);
    private static final long LOOK_MS = 500;

    private final DatacenterName here;
    private final EventRing ring;
    private final LeadershipState lead;
    private final HttpPeers peers;
    private final PeerCredentials credentials;
    private final Clock clock;
    private final Map<Source, SourceFollower> followed = new HashMap<>();
    private final Thread thread = new Thread(this::run, "fleet-events");
    private boolean led;

    /**
     * A stream of another server.
     *
     * @param leader the leader of this datacenter, which has the events of all; null for the events of a peer
     */
    record Source(DatacenterName datacenter, @Nullable URI leader) {}

    public FleetEvents(
            DatacenterName here,
            EventRing ring,
            LeadershipState lead,
            HttpPeers peers,
            PeerCredentials credentials,
            Clock clock) {
        this.here = here;
        this.ring = ring;
        this.lead = lead;
        this.peers = peers;
        this.credentials = credentials;
        this.clock = clock;
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!ring.closed()) {
                look();
                Thread.sleep(LOOK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            followed.values().forEach(SourceFollower::close);
        }
    }

    private void look() {
        try {
            boolean leads = lead.leads();
            if (leads && !led) {
                String text = "this server leads " + here + " now: read everything of " + here + " again";
                ring.add(Event.of(clock.now(), Event.Type.RESET, here, here.value(), text));
            }
            led = leads;
            follow(wanted(leads));
        } catch (RuntimeException e) {
            LOG.warn("the sources of the fleet's events cannot be listed now", e);
        }
    }

    private Set<Source> wanted(boolean leads) {
        if (leads) {
            return peers.known().stream().map(name -> new Source(name, null)).collect(Collectors.toSet());
        }
        // while no leader is known, what is followed may well continue
        return lead.otherLeader()
                .map(url -> Set.of(new Source(here, url)))
                .orElseGet(() -> Set.copyOf(followed.keySet()));
    }

    private void follow(Set<Source> wanted) {
        followed.forEach((source, follower) -> {
            if (!wanted.contains(source)) {
                follower.close();
            }
        });
        followed.keySet().retainAll(wanted);
        for (Source source : wanted) {
            followed.computeIfAbsent(source, this::open);
        }
    }

    private SourceFollower open(Source source) {
        URI leader = source.leader();
        Supplier<List<URI>> servers = leader == null ? () -> peers.servers(source.datacenter()) : () -> List.of(leader);
        var follower = new SourceFollower(source, servers, credentials, ring, clock);
        follower.start();
        return follower;
    }
}
