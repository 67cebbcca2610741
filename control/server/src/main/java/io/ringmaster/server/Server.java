package io.ringmaster.server;

import io.ringmaster.controller.Controller;
import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.core.step.Steps;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.event.ControllerEvents;
import io.ringmaster.server.event.EventRing;
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
import io.ringmaster.wire.node.HttpExecutorClient;
import io.ringmaster.wire.peer.HttpPeers;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running server. Closing it leaves the nodes running. */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    /** Some minutes of a busy deploy. */
    private static final int EVENTS_KEPT = 4096;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<ApiRoute> routes;
    private final int port;

    private Server(ServerConfig config, String token, Adapters adapters, Clock clock) {
        var urls = List.of(config.url().toString());
        var events = new EventRing(EVENTS_KEPT, clock.now());
        var pool = new PoolOnDemand(adapters.pool());
        var agent = new HttpExecutorClient(pool::access, HttpExecutorClient.Timing.USUAL);
        var peers = new HttpPeers(config.datacenter(), config.peers(), token, HttpPeers.Timing.USUAL);
        var metrics = new ServerMetrics();
        var controllerEvents = new ControllerEvents(events);
        var loop = new ControllerLoop(new Controller(
                config.datacenter(),
                urls,
                adapters.store(),
                pool,
                new CountingExecutorClient(agent, metrics),
                peers,
                clock,
                new SecureRandom().nextLong(),
                controllerEvents,
                Steps::of,
                config.automaticReplacements()));
        var duties = new LeaderLifecycle(pool, agent, peers, loop);
        var lead = new LeadershipState(loop, adapters.leadership(), config.url(), duties);
        var views = new Views(config.datacenter(), urls, clock, adapters.store(), loop, lead);
        var fleet = new FleetReader(peers, token);
        var parts = new ApiParts(
                config.datacenter(),
                token,
                config.tokenFile(),
                config.loopbackOnly(),
                clock,
                lead,
                views,
                new ControllerGateway(loop),
                fleet,
                new UnplannedSpecs(loop, lead),
                peers,
                agent,
                events,
                metrics);
        routes = parts.routes();
        Api api = parts.api();
        opened.addAll(adapters.beneath());
        opened.addAll(List.of(adapters.store(), metrics, fleet, pool, agent, peers, duties, loop));
        opened.add(api);
        port = listen(api, config);
        agent.start(loop);
        loop.start();
        opened.add(new ControllerProbe(loop, metrics));
        adapters.leadership().start(lead);
        opened.add(adapters.leadership());
        opened.add(events::close);
    }

    /**
     * Listens when this returns; leads or stands by a moment later. Takes over the adapters.
     *
     * @throws IllegalStateException the address cannot be listened on; everything is closed again
     */
    public static Server start(ServerConfig config, String token, Adapters adapters, Clock clock) {
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

    /** The port in use. */
    public int port() {
        return port;
    }

    /** What it serves; {@code api/openapi.yaml} says the same. */
    public List<ApiRoute> routes() {
        return routes;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.removeLast().close();
            } catch (Exception e) {
                LOG.warn("while stopping", e);
            }
        }
    }
}
