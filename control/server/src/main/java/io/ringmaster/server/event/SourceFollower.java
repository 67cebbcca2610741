package io.ringmaster.server.event;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.event.FleetEvents.Source;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.UnreachableException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The thread that follows one stream of another server and puts its events into the ring of the fleet. */
final class SourceFollower implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final long PAUSE_MS = 1_000;

    private final Source source;
    private final Supplier<List<URI>> servers;
    private final PeerCredentials credentials;
    private final EventRing ring;
    private final Clock clock;
    private final Map<URI, RingmasterClient> clients = new HashMap<>();
    private final Thread thread;
    private @Nullable String last;
    private boolean interrupted;

    SourceFollower(
            Source source, Supplier<List<URI>> servers, PeerCredentials credentials, EventRing ring, Clock clock) {
        this.source = source;
        this.servers = servers;
        this.credentials = credentials;
        this.ring = ring;
        this.clock = clock;
        this.thread = new Thread(this::run, "events-of-" + source.datacenter());
    }

    void start() {
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
                String reason = followOneServer();
                if (!interrupted) {
                    interrupted = true;
                    peer("its events are interrupted: " + reason);
                }
                Thread.sleep(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Follows the first server that has the events, for as long as it has them.
     *
     * @return why no server has them now
     */
    private String followOneServer() throws InterruptedException {
        var reasons = new ArrayList<String>();
        for (URI server : servers.get()) {
            try (EventFollower events = open(server)) {
                follow(events);
            } catch (UnreachableException | UncheckedIOException e) {
                reasons.add(ThrowableText.of(e));
            }
        }
        return reasons.isEmpty() ? "none of its servers is known" : String.join("; ", reasons);
    }

    private EventFollower open(URI server) {
        var client = clients.computeIfAbsent(server, url -> credentials.client(url, PATIENCE));
        return source.leader() == null ? client.follow(last) : client.followFleet(last);
    }

    private void follow(EventFollower events) throws InterruptedException {
        boolean unknown = last == null;
        while (!ring.closed()) {
            Optional<Event> event = events.next(WAIT);
            if (events.follows() && interrupted) {
                interrupted = false;
                peer("its events continue");
            }
            if (events.follows() && unknown) {
                unknown = false;
                reset();
            }
            event.ifPresent(e -> ring.add(source.leader() == null ? e.in(source.datacenter()) : e));
            last = events.last();
        }
    }

    private void peer(String text) {
        DatacenterName datacenter = source.datacenter();
        ring.add(Event.of(clock.now(), Event.Type.PEER, datacenter, datacenter.value(), text));
    }

    /** Events before the first position are unknown. After it, the server that is followed says what is lost. */
    private void reset() {
        DatacenterName concerned = source.leader() == null ? source.datacenter() : null;
        String subject = concerned == null ? "stream" : concerned.value();
        String text = "the events of " + source.datacenter() + " are followed from here: read everything again";
        ring.add(Event.of(clock.now(), Event.Type.RESET, concerned, subject, text));
    }
}
