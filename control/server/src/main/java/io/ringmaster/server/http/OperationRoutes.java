package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.change.OperationRequests;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.RemoteClusters;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.OperationInfo;
import io.ringmaster.wire.client.ChangeOptions;
import java.util.List;
import java.util.Map;

/** The catalogue of operations, and requests for them. */
final class OperationRoutes {
    private static final int BODY_LIMIT_BYTES = 64 * 1024;

    private final Views views;
    private final RemoteClusters remote;
    private final OperationRequests requests;

    OperationRoutes(Views views, RemoteClusters remote, OperationRequests requests) {
        this.views = views;
        this.remote = remote;
        this.requests = requests;
    }

    List<ApiRoute> routes() {
        String operations = "clusters/{cluster}/operations";
        return List.of(
                new ApiRoute(HandlerType.GET, "operations", Access.read(Who.VIEWER, Extent.CLUSTER), this::catalogue),
                new ApiRoute(HandlerType.GET, operations, Access.read(Who.VIEWER, Extent.CLUSTER), this::list),
                new ApiRoute(
                        HandlerType.POST,
                        operations + "/{operation}",
                        Access.change(Who.OPERATOR, Extent.CLUSTER),
                        this::ask));
    }

    private void catalogue(Context ctx) {
        ctx.json(Operations.all().stream()
                .map(o -> new OperationInfo(
                        o.name(),
                        o.summary(),
                        o.lockScope().orElse(null),
                        o.params().stream().map(OperationRoutes::info).toList()))
                .toList());
    }

    private static OperationInfo.Param info(Operation.Param p) {
        return new OperationInfo.Param(p.name(), p.form(), p.required(), p.help(), p.kind(), p.several(), p.choices());
    }

    private void list(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        View view = views.now();
        ctx.json(remote.read(view, cluster, Requests.reach(ctx), peer -> peer.operations(cluster))
                .orElseGet(() -> OperationRequests.of(view, cluster)));
    }

    private void ask(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        String operation = ctx.pathParam("operation");
        OperationAsk ask = body(ctx);
        Principal who = Caller.of(ctx);
        ChangeOptions options = Requests.options(ctx);
        ctx.json(remote.change(
                        views.now(),
                        cluster,
                        Requests.reach(ctx),
                        who,
                        peer -> peer.operate(cluster, operation, ask, options))
                .orElseGet(() -> requests.ask(cluster, operation, ask, who, options)));
    }

    private static OperationAsk body(Context ctx) {
        String text = Requests.body(ctx, BODY_LIMIT_BYTES);
        OperationAsk ask = text.isBlank() ? new OperationAsk(Map.of(), "") : Requests.json(text, OperationAsk.class);
        if (ask.why().length() > OperationAsk.WHY_LIMIT) {
            throw Requests.invalid("why", "must be no longer than " + OperationAsk.WHY_LIMIT + " characters");
        }
        return ask;
    }
}
