package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.sse.SseHandler;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.event.EventRing;
import io.ringmaster.server.event.EventStream;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.wire.api.Event;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The event streams and the last events. Only the leader has the events of its datacenter, so a standby redirects to
 * it; every server has the events of the fleet. A stream ends with the session or the token that opened it.
 */
final class EventRoute {
    private static final String MEDIA_TYPE = "text/event-stream";
    private static final int RECENT = 1000;

    private final LeadershipState lead;
    private final EventRing fleet;
    private final Handler ownStream;
    private final Handler fleetStream;

    EventRoute(LeadershipState lead, EventRing own, EventRing fleet, Clock clock, Authentication authentication) {
        this.lead = lead;
        this.fleet = fleet;
        this.ownStream = handler(new EventStream(own, () -> lead.otherLeader().isEmpty(), clock), authentication);
        this.fleetStream = handler(new EventStream(fleet, () -> true, clock), authentication);
    }

    private static Handler handler(EventStream stream, Authentication authentication) {
        var followed = new SseHandler(0L, client -> {
            Principal caller = Caller.of(client.ctx());
            stream.follow(client, authentication.permission(client.ctx()), event -> isVisible(event, caller));
        });
        return ctx -> {
            stream.admit();
            followed.handle(ctx);
        };
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "events", Access.self(Who.VIEWER, Extent.CLUSTER), this::events),
                new ApiRoute(HandlerType.GET, "events/recent", Access.read(Who.VIEWER, Extent.CLUSTER), this::recent));
    }

    private void events(Context ctx) throws Exception {
        String accept = ctx.header("Accept");
        if (accept == null || !accept.contains(MEDIA_TYPE)) {
            throw Requests.invalid("Accept", "must be " + MEDIA_TYPE);
        }
        if (Requests.flag(ctx, "fleet")) {
            fleetStream.handle(ctx);
            return;
        }
        Optional<URI> leader = lead.otherLeader();
        if (leader.isPresent()) {
            ctx.status(307).header("Location", leader.get().resolve(ctx.path()).toString());
        } else {
            ownStream.handle(ctx);
        }
    }

    /**
     * Events of machines concern all clusters, those of the audit also need the role that reads the audit. Others
     * without a cluster say whether events flow.
     */
    static boolean isVisible(Event event, Principal caller) {
        ClusterName cluster = event.cluster();
        return switch (event.type()) {
            case AUDIT ->
                caller.seesAll() && (caller.isAnonymous() || caller.role().includes(Role.OPERATOR));
            case POOL -> caller.seesAll();
            default -> cluster == null || caller.sees(cluster);
        };
    }

    private void recent(Context ctx) {
        String cluster = ctx.queryParam("cluster");
        String plan = ctx.queryParam("plan");
        ClusterName ofCluster = cluster == null ? null : Requests.parse("cluster", cluster, ClusterName::new);
        PlanId ofPlan = plan == null ? null : Requests.parse("plan", plan, PlanId::of);
        int limit = Requests.number(ctx, "limit", 1, EventRing.KEPT, RECENT);
        Principal caller = Caller.of(ctx);
        ctx.json(fleet.recent(
                e -> isVisible(e, caller)
                        && (ofCluster == null || ofCluster.equals(e.cluster()))
                        && (ofPlan == null
                                || (e.type() == Event.Type.PLAN && e.subject().equals(ofPlan.toString()))),
                limit));
    }
}
