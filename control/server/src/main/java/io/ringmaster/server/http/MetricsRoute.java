package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.metric.ServerMetrics;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.server.read.Views;
import java.util.List;
import java.util.Optional;

/** Prometheus metrics of this server. */
final class MetricsRoute {
    private final ServerMetrics metrics;
    private final LeadershipState lead;
    private final Views views;

    MetricsRoute(ServerMetrics metrics, LeadershipState lead, Views views) {
        this.lead = lead;
        this.metrics = metrics;
        this.views = views;
    }

    List<ApiRoute> routes() {
        return List.of(new ApiRoute(HandlerType.GET, "metrics", Access.self(Who.VIEWER, Extent.FLEET), this::metrics));
    }

    private void metrics(Context ctx) {
        ctx.contentType("text/plain; version=0.0.4; charset=utf-8")
                .result(metrics.scrape(lead.leads() ? Optional.of(views.now()) : Optional.empty()));
    }
}
