package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.client.Scope;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads and controls plans. The server of another datacenter answers for its plans. */
final class PlanRoutes {
    private static final int LOAD_LIMIT_BYTES = 64 * 1024;

    private final Views views;
    private final ControllerGateway controller;
    private final FleetReader fleet;

    PlanRoutes(Views views, ControllerGateway controller, FleetReader fleet) {
        this.views = views;
        this.controller = controller;
        this.fleet = fleet;
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "plans", Access.READ, this::list),
                new ApiRoute(HandlerType.GET, "plans/{plan}", Access.READ, this::plan),
                new ApiRoute(HandlerType.PUT, "plans/{plan}/load", Access.CHANGE, this::keepLoad),
                new ApiRoute(HandlerType.POST, "plans/{plan}/{verb}", Access.CHANGE, this::control));
    }

    private void list(Context ctx) {
        View view = views.now();
        String name = ctx.queryParam("cluster");
        ClusterName cluster = name == null ? null : Requests.parse("cluster", name, ClusterName::new);
        Set<DatacenterName> others = Requests.scope(ctx) == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked =
                fleet.ask(view, others, peer -> peer.plans(cluster, Scope.LOCAL).items());
        Stream<Plan> here = view.plans().values().stream()
                .filter(p -> cluster == null || p.cluster().equals(cluster));
        Stream<Plan> there = asked.answers().values().stream().flatMap(List::stream);
        ctx.json(new FleetList<>(
                Stream.concat(here, there)
                        .sorted(Comparator.comparing(Plan::id))
                        .toList(),
                asked.unanswered()));
    }

    private void plan(Context ctx) {
        PlanId id = id(ctx);
        View view = views.now();
        if (!id.datacenter().equals(view.datacenter())) {
            ctx.json(fleet.askOne(view, id.datacenter(), peer -> peer.plan(id)));
            return;
        }
        Plan plan = view.plans().get(id);
        if (plan == null) {
            throw ProblemException.of(
                    Problem.of(ErrorCode.PLAN_UNKNOWN, "no plan " + id + " exists", Advice.command("plan list")));
        }
        ctx.json(plan);
    }

    private void control(Context ctx) {
        PlanId id = id(ctx);
        PlanVerb verb = PlanVerb.of(ctx.pathParam("verb"))
                .orElseThrow(() -> Requests.invalid(
                        "verb",
                        "'" + ctx.pathParam("verb") + "' must be one of "
                                + String.join(
                                        ", ",
                                        Stream.of(PlanVerb.values())
                                                .map(PlanVerb::label)
                                                .toList())));
        String step = ctx.queryParam("step");
        View view = views.now();
        if (id.datacenter().equals(view.datacenter())) {
            ctx.json(controller.request(c -> c.requests().control(id, verb, step, Caller.of(ctx))));
        } else {
            ctx.json(fleet.change(view, id.datacenter(), Caller.of(ctx), peer -> peer.ask(id, verb, step)));
        }
    }

    private void keepLoad(Context ctx) {
        PlanId id = id(ctx);
        PlanLoad load = Requests.json(Requests.body(ctx, LOAD_LIMIT_BYTES), PlanLoad.class);
        View view = views.now();
        if (id.datacenter().equals(view.datacenter())) {
            ctx.json(controller.request(c -> c.requests().keepLoad(id, load, Caller.of(ctx))));
        } else {
            ctx.json(fleet.change(view, id.datacenter(), Caller.of(ctx), peer -> peer.keepLoad(id, load)));
        }
    }

    private static PlanId id(Context ctx) {
        return Requests.parse("plan", ctx.pathParam("plan"), PlanId::of);
    }
}
