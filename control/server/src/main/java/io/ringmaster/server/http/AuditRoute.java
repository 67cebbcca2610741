package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.api.AuditEntry;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.client.Scope;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The audit of all datacenters. */
final class AuditRoute {
    private static final int ENTRIES = 100;
    private static final int ENTRIES_MAX = 10_000;

    private final Views views;
    private final ControllerGateway controller;
    private final FleetReader fleet;

    AuditRoute(Views views, ControllerGateway controller, FleetReader fleet) {
        this.views = views;
        this.controller = controller;
        this.fleet = fleet;
    }

    List<ApiRoute> routes() {
        return List.of(new ApiRoute(HandlerType.GET, "audit", Access.read(Who.OPERATOR, Extent.FLEET), this::audit));
    }

    private void audit(Context ctx) {
        int limit = Requests.number(ctx, "limit", 1, ENTRIES_MAX, ENTRIES);
        View view = views.now();
        Set<DatacenterName> others = Requests.scope(ctx) == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked =
                fleet.ask(view, others, peer -> peer.audit(limit, Scope.LOCAL).items());
        Stream<AuditEntry> here = controller.ask(c -> c.audit()).stream().map(a -> AuditEntry.of(view.datacenter(), a));
        Stream<AuditEntry> there = asked.answers().values().stream().flatMap(List::stream);
        ctx.json(new FleetList<>(
                Stream.concat(here, there)
                        .sorted(Comparator.comparing(AuditEntry::at)
                                .reversed()
                                .thenComparing(AuditEntry::datacenter)
                                .thenComparing(Comparator.comparingLong(AuditEntry::number)
                                        .reversed()))
                        .limit(limit)
                        .toList(),
                asked.unanswered()));
    }
}
