package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
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
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.client.Scope;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
                new ApiRoute(HandlerType.GET, "plans", Access.read(Who.VIEWER, Extent.CLUSTER), this::list),
                new ApiRoute(HandlerType.GET, "plans/{plan}", Access.read(Who.VIEWER, Extent.CLUSTER), this::plan),
                new ApiRoute(
                        HandlerType.PUT,
                        "plans/{plan}/load",
                        Access.change(Who.OPERATOR, Extent.CLUSTER),
                        this::keepLoad),
                new ApiRoute(
                        HandlerType.POST,
                        "plans/{plan}/{verb}",
                        Access.change(Who.OPERATOR, Extent.CLUSTER),
                        this::control));
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
        Principal caller = Caller.of(ctx);
        ctx.json(new FleetList<>(
                Stream.concat(here, there)
                        .filter(p -> caller.sees(p.cluster()))
                        .sorted(Comparator.comparing(Plan::id))
                        .toList(),
                asked.unanswered()));
    }

    private void plan(Context ctx) {
        PlanId id = id(ctx);
        View view = views.now();
        Plan plan = id.datacenter().equals(view.datacenter())
                ? view.plans().get(id)
                : fleet.askOne(view, id.datacenter(), peer -> peer.plan(id));
        requireSeen(Caller.of(ctx), plan, id);
        if (plan == null) {
            throw unknown(id);
        }
        ctx.json(plan);
    }

    /** The plan of a cluster that the caller may not see is unknown to it. */
    private static void requireSeen(Principal caller, @Nullable Plan plan, PlanId id) {
        if (plan != null && !caller.sees(plan.cluster())) {
            throw unknown(id);
        }
    }

    private static ProblemException unknown(PlanId id) {
        return ProblemException.of(
                Problem.of(ErrorCode.PLAN_UNKNOWN, "no plan " + id + " exists", Advice.command("plan list")));
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
        if (verb == PlanVerb.FORCE_COMPLETE) {
            Caller.require(ctx, Role.ADMIN, "forcing steps of a plan");
        }
        String step = ctx.queryParam("step");
        Principal who = Caller.of(ctx);
        View view = views.now();
        requireSeen(who, view.plans().get(id), id);
        if (id.datacenter().equals(view.datacenter())) {
            ctx.json(controller.request(who, c -> c.control(id, verb, step, who.name())));
        } else {
            ctx.json(fleet.change(view, id.datacenter(), who, peer -> peer.ask(id, verb, step)));
        }
    }

    private void keepLoad(Context ctx) {
        PlanId id = id(ctx);
        PlanLoad load = Requests.json(Requests.body(ctx, LOAD_LIMIT_BYTES), PlanLoad.class);
        Principal who = Caller.of(ctx);
        View view = views.now();
        requireSeen(who, view.plans().get(id), id);
        if (id.datacenter().equals(view.datacenter())) {
            ctx.json(controller.request(who, c -> c.keepLoad(id, load, who.name())));
        } else {
            ctx.json(fleet.change(view, id.datacenter(), who, peer -> peer.keepLoad(id, load)));
        }
    }

    private static PlanId id(Context ctx) {
        return Requests.parse("plan", ctx.pathParam("plan"), PlanId::of);
    }
}
