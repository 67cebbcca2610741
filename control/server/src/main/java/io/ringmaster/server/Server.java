package io.ringmaster.server;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.controller.Controller;
import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.controller.SteadyClock;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.backup.BackupReader;
import io.ringmaster.server.backup.RestoreMarks;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.door.ServerDoor;
import io.ringmaster.server.event.ControllerEvents;
import io.ringmaster.server.event.EventRing;
import io.ringmaster.server.event.FleetEvents;
import io.ringmaster.server.http.Api;
import io.ringmaster.server.http.ApiParts;
import io.ringmaster.server.http.ApiRoute;
import io.ringmaster.server.metric.ControllerProbe;
import io.ringmaster.server.metric.CountingExecutorClient;
import io.ringmaster.server.metric.ServerMetrics;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.server.read.UnplannedSpecs;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.secret.PasswordDirectory;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.node.HttpExecutorClient;
import io.ringmaster.wire.peer.HttpPeers;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running server. Closing it leaves the nodes running. */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<ApiRoute> routes;
    private final int port;

    private Server(ServerConfig config, Secret token, Adapters adapters, Clock clock) {
        var urls = List.of(config.url().toString());
        var seedUrls = config.seedUrls().stream().map(URI::toString).toList();
        var events = EventRing.ofDatacenter(clock.now());
        var fleetEvents = EventRing.ofFleet(clock.now());
        var pool = new PoolOnDemand(adapters.pool());
        var passwords = new PasswordDirectory(
                config.secrets(), config.stateDirectory().resolve("secrets"), System::getenv, pool::secrets);
        var executors = new HttpExecutorClient(
                pool::access,
                authorities(config, clock),
                passwords,
                config.datacenter(),
                clock,
                HttpExecutorClient.Timing.USUAL);
        ServerDoor door = config.tls() == null ? null : ServerDoor.open(config, config.tls(), clock);
        var credentials = new PeerCredentials(token, door == null ? null : door.clients());
        var peers = new HttpPeers(config.datacenter(), config.peers(), credentials, HttpPeers.Timing.USUAL);
        var metrics = new ServerMetrics();
        var controllerEvents = new ControllerEvents(config.datacenter(), events, fleetEvents);
        var steady = new SteadyClock(clock, System::nanoTime);
        var loop = new ControllerLoop(new Controller(
                config.datacenter(),
                urls,
                seedUrls,
                adapters.store(),
                pool,
                new CountingExecutorClient(executors, metrics),
                peers,
                steady,
                new SecureRandom().nextLong(),
                controllerEvents,
                Steps::of,
                config.automaticReplacements()));
        var lifecycle = new LeaderLifecycle(pool, executors, peers, loop, adapters.store()::poolRecords);
        var lead = new LeadershipState(loop, adapters.leadership(), config.url(), lifecycle, adapters.storeTrouble());
        var views = new Views(config.datacenter(), urls, seedUrls, steady, adapters.store(), loop, lead);
        var fleet = new FleetReader(peers, credentials);
        var locations = new BackupLocations(config.backupLocations());
        var marks = new RestoreMarks(
                new BackupReader(locations),
                config.datacenter(),
                () -> lead.leads() ? Optional.of(restores(views.now())) : Optional.empty(),
                System::nanoTime);
        var parts = new ApiParts(
                config.datacenter(),
                credentials,
                config.tokenFile(),
                config.openReads(),
                config.url(),
                config.hosts(),
                clock,
                lead,
                views,
                new ControllerGateway(loop, adapters.storeTrouble()),
                fleet,
                new UnplannedSpecs(loop, lead),
                peers,
                executors,
                executors,
                events,
                fleetEvents,
                metrics,
                locations,
                marks,
                passwords,
                door);
        routes = parts.routes();
        Api api = parts.api();
        if (door != null) {
            opened.add(door);
        }
        opened.addAll(adapters.beneath());
        opened.addAll(List.of(adapters.store(), metrics, fleet, pool, executors, peers, lifecycle, loop));
        opened.add(api);
        port = listen(api, config);
        if (door != null) {
            LOG.info(
                    "listens by TLS; its CA is {}: ringmaster login {} --ca {}",
                    door.fingerprint(),
                    config.url(),
                    door.fingerprint());
        }
        executors.start(loop);
        loop.start();
        opened.add(new ControllerProbe(loop, metrics));
        adapters.leadership().start(lead);
        opened.add(adapters.leadership());
        var sources = new FleetEvents(config.datacenter(), fleetEvents, lead, peers, credentials, clock);
        sources.start();
        opened.add(sources);
        marks.start();
        opened.add(marks);
        opened.add(fleetEvents::close);
        opened.add(events::close);
    }

    /**
     * Starts a server that listens when this method returns, and leads or stands by shortly after. The server closes
     * the adapters.
     *
     * @throws IllegalStateException the server cannot listen on the address; everything is closed again
     */
    public static Server start(ServerConfig config, Secret token, Adapters adapters, Clock clock) {
        return new Server(config, token, adapters, clock);
    }

    private int listen(Api api, ServerConfig config) {
        try {
            return api.start(config.listen());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Certificates of nodes; the keys that sign them are files of this server. */
    private static RestoreMarks.Restores restores(View view) {
        return new RestoreMarks.Restores(Restoration.inProgress(view), Restoration.over(view));
    }

    private static Authorities authorities(ServerConfig config, Clock clock) {
        return new Issuer(
                new AuthorityDirectory(config.stateDirectory().resolve("authority")),
                AuthorityName.control(config.datacenter(), 1),
                config.certificateLife(),
                clock);
    }

    /** The port in use. */
    public int port() {
        return port;
    }

    /** The routes of the API, the same as in {@code api/openapi.yaml}. */
    public List<ApiRoute> routes() {
        return routes;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.removeLast().close();
            } catch (Exception e) {
                LOG.warn("a part of the server failed to close", e);
            }
        }
    }
}
