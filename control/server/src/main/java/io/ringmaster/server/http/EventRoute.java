package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.sse.SseHandler;
import io.ringmaster.server.event.EventStream;
import io.ringmaster.server.read.LeadershipState;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The event stream. Only the leader has events, so a standby redirects to it. */
final class EventRoute {
    private static final String MEDIA_TYPE = "text/event-stream";

    private final LeadershipState lead;
    private final SseHandler stream;

    EventRoute(LeadershipState lead, EventStream events) {
        this.lead = lead;
        this.stream = new SseHandler(0L, events::follow);
    }

    List<ApiRoute> routes() {
        return List.of(new ApiRoute(HandlerType.GET, "events", Access.SELF_READ, this::events));
    }

    private void events(Context ctx) {
        String accept = ctx.header("Accept");
        if (accept == null || !accept.contains(MEDIA_TYPE)) {
            throw Requests.invalid("Accept", "must be " + MEDIA_TYPE);
        }
        Optional<URI> leader = lead.otherLeader();
        if (leader.isPresent()) {
            ctx.status(307).header("Location", leader.get().resolve(ctx.path()).toString());
        } else {
            stream.handle(ctx);
        }
    }
}
