package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Machines;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.read.Volumes;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.VolumeState;
import io.ringmaster.wire.client.Scope;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Lists and destroys volumes that no node uses. The server of another datacenter answers for its volumes. */
final class VolumeRoutes {
    private final Views views;
    private final ControllerGateway controller;
    private final FleetReader fleet;

    VolumeRoutes(Views views, ControllerGateway controller, FleetReader fleet) {
        this.views = views;
        this.controller = controller;
        this.fleet = fleet;
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "volumes", Access.read(Who.VIEWER, Extent.FLEET), this::list),
                new ApiRoute(
                        HandlerType.DELETE,
                        "volumes/{datacenter}/{volume}",
                        Access.change(Who.ADMIN, Extent.FLEET),
                        this::discard));
    }

    private void list(Context ctx) {
        View view = views.now();
        Set<DatacenterName> others = Requests.scope(ctx) == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked = fleet.ask(view, others, peer -> peer.volumes(Scope.LOCAL).items());
        Stream<VolumeState> there = asked.answers().values().stream().flatMap(List::stream);
        ctx.json(new FleetList<>(
                Stream.concat(Volumes.of(view).stream(), there).toList(),
                Stream.concat(Machines.unanswered(view).stream(), asked.unanswered().stream())
                        .toList()));
    }

    private void discard(Context ctx) {
        DatacenterName datacenter = Requests.parse("datacenter", ctx.pathParam("datacenter"), DatacenterName::new);
        AllocationId volume = Requests.parse("volume", ctx.pathParam("volume"), AllocationId::new);
        boolean dryRun = Requests.flag(ctx, "dryRun");
        Principal who = Caller.of(ctx);
        View view = views.now();
        if (!datacenter.equals(view.datacenter())) {
            ctx.json(fleet.change(view, datacenter, who, peer -> peer.discardVolume(datacenter, volume, dryRun)));
            return;
        }
        KeptVolume discarded = controller.request(who, c -> c.discardVolume(volume, who.name(), dryRun));
        ctx.json(Volumes.state(view, clusterOf(view, volume), discarded));
    }

    private static ClusterName clusterOf(View view, AllocationId volume) {
        return view.clusters().values().stream()
                .filter(c -> c.volume(volume).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("volume " + volume + " is in no record"))
                .name();
    }
}
