package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Machines;
import io.ringmaster.server.read.SharingEstimates;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.SharingAsk;
import io.ringmaster.wire.client.Scope;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Lists, estimates, cordons and uncordons machines. The server of another datacenter answers for its machines. */
final class MachineRoutes {
    private static final int REASON_LIMIT = 200;
    private static final int MIX_LIMIT_BYTES = 4 << 20;

    private final Views views;
    private final ControllerGateway controller;
    private final FleetReader fleet;
    private final SharingEstimates estimates;

    MachineRoutes(Views views, ControllerGateway controller, FleetReader fleet) {
        this.views = views;
        this.controller = controller;
        this.fleet = fleet;
        this.estimates = new SharingEstimates(fleet);
    }

    List<ApiRoute> routes() {
        String cordon = "machines/{datacenter}/{machine}/cordon";
        return List.of(
                new ApiRoute(HandlerType.GET, "machines", Access.read(Who.VIEWER, Extent.FLEET), this::list),
                new ApiRoute(HandlerType.POST, "machines/what-if", Access.read(Who.VIEWER, Extent.FLEET), this::whatIf),
                new ApiRoute(HandlerType.PUT, cordon, Access.change(Who.OPERATOR, Extent.FLEET), this::cordon),
                new ApiRoute(HandlerType.DELETE, cordon, Access.change(Who.OPERATOR, Extent.FLEET), this::uncordon));
    }

    private void list(Context ctx) {
        View view = views.now();
        Set<DatacenterName> others = Requests.scope(ctx) == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked = fleet.ask(view, others, peer -> peer.machines(Scope.LOCAL).items());
        Stream<MachineState> there = asked.answers().values().stream().flatMap(List::stream);
        ctx.json(new FleetList<>(
                Stream.concat(Machines.of(view).stream(), there).toList(),
                Stream.concat(Machines.unanswered(view).stream(), asked.unanswered().stream())
                        .toList()));
    }

    private void whatIf(Context ctx) {
        SharingAsk ask = Requests.json(Requests.body(ctx, MIX_LIMIT_BYTES), SharingAsk.class);
        ctx.json(estimates.of(views.now(), ask));
    }

    private void cordon(Context ctx) {
        DatacenterName datacenter = datacenter(ctx);
        MachineName machine = machine(ctx);
        String given = ctx.queryParam("reason");
        String reason = given == null ? "" : given.strip();
        if (reason.length() > REASON_LIMIT) {
            throw Requests.invalid("reason", "must be no longer than " + REASON_LIMIT + " characters");
        }
        Principal who = Caller.of(ctx);
        View view = views.now();
        if (datacenter.equals(view.datacenter())) {
            ctx.json(state(controller.request(who, c -> c.cordon(machine, reason, who.name()))));
        } else {
            ctx.json(fleet.change(view, datacenter, who, peer -> peer.cordon(datacenter, machine, reason)));
        }
    }

    private void uncordon(Context ctx) {
        DatacenterName datacenter = datacenter(ctx);
        MachineName machine = machine(ctx);
        Principal who = Caller.of(ctx);
        View view = views.now();
        if (datacenter.equals(view.datacenter())) {
            ctx.json(state(controller.request(who, c -> c.uncordon(machine, who.name()))));
        } else {
            ctx.json(fleet.change(view, datacenter, who, peer -> peer.uncordon(datacenter, machine)));
        }
    }

    private MachineState state(MachineName machine) {
        return Machines.of(controller.ask(c -> c.view())).stream()
                .filter(m -> m.machine().name().equals(machine))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(machine + " has just left the pool"));
    }

    private static DatacenterName datacenter(Context ctx) {
        return Requests.parse("datacenter", ctx.pathParam("datacenter"), DatacenterName::new);
    }

    private static MachineName machine(Context ctx) {
        return Requests.parse("machine", ctx.pathParam("machine"), MachineName::new);
    }
}
