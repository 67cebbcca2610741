package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.server.event.EventRing;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.DatacenterInfo;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The health of the server, its datacenter, and the other datacenters. */
final class FleetRoutes {
    private final Views views;
    private final FleetReader fleet;
    private final LeadershipState lead;
    private final EventRing events;
    private final DatacenterName datacenter;
    private final Instant started;

    FleetRoutes(
            Views views,
            FleetReader fleet,
            LeadershipState lead,
            EventRing events,
            DatacenterName datacenter,
            Instant started) {
        this.views = views;
        this.fleet = fleet;
        this.lead = lead;
        this.events = events;
        this.datacenter = datacenter;
        this.started = started;
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "health", Access.self(Who.ANYONE, Extent.FLEET), this::health),
                new ApiRoute(HandlerType.GET, "datacenter", Access.read(Who.VIEWER, Extent.CLUSTER), this::datacenter),
                new ApiRoute(
                        HandlerType.GET, "datacenters", Access.read(Who.VIEWER, Extent.CLUSTER), this::datacenters));
    }

    /** A server whose store has stopped is not well, though it answers. */
    private void health(Context ctx) {
        lead.storeTrouble().ifPresent(problem -> {
            throw ProblemException.of(problem);
        });
        boolean leads = lead.leads();
        String leader = lead.leader().map(URI::toString).orElse(null);
        Health.State state =
                leads ? Health.State.LEADING : leader == null ? Health.State.WAITING : Health.State.STANDBY;
        ctx.json(new Health(
                datacenter, state, leader, leads && views.now().poolSeen(), Version.OWN, started, events.tail()));
    }

    private void datacenter(Context ctx) {
        ctx.json(info(views.now()));
    }

    private void datacenters(Context ctx) {
        View view = views.now();
        Set<DatacenterName> others = Requests.scope(ctx) == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked = fleet.ask(view, others, RingmasterClient::datacenter);
        var all = new TreeMap<>(asked.answers());
        all.put(view.datacenter(), info(view));
        ctx.json(new FleetList<>(List.copyOf(all.values()), asked.unanswered()));
    }

    private DatacenterInfo info(View view) {
        var peers = new TreeSet<>(view.knownPeers());
        peers.addAll(view.peers().keySet());
        return new DatacenterInfo(
                view.datacenter(),
                view.serverUrls(),
                view.machines().size(),
                peers.stream().map(name -> peer(view, name)).toList());
    }

    private DatacenterInfo.Peer peer(View view, DatacenterName name) {
        Observation<DatacenterReport> observation = view.peers().get(name);
        Observation<DatacenterReport> reported = observation == null || observation.last() == null ? null : observation;
        return new DatacenterInfo.Peer(
                name,
                fleet.servers(name).stream().map(URI::toString).toList(),
                reported == null ? null : reported.at(),
                reported == null ? "no report since this server started" : reported.silence());
    }
}
