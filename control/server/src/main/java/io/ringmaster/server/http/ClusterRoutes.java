package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.server.change.ClusterChanges;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetClusterStatuses;
import io.ringmaster.server.read.RemoteClusters;
import io.ringmaster.server.read.Rings;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.RingNode;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.util.List;
import java.util.Optional;

/** Applies, reads and deletes clusters. */
final class ClusterRoutes {
    /** A spec has about 2 KiB; this is a hundred times as much. */
    private static final int SPEC_LIMIT_BYTES = 256 * 1024;

    private final Views views;
    private final FleetClusterStatuses statuses;
    private final Rings rings;
    private final RemoteClusters remote;
    private final ClusterChanges changes;

    ClusterRoutes(
            Views views, FleetClusterStatuses statuses, Rings rings, RemoteClusters remote, ClusterChanges changes) {
        this.views = views;
        this.statuses = statuses;
        this.rings = rings;
        this.remote = remote;
        this.changes = changes;
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "clusters", Access.read(Who.VIEWER, Extent.CLUSTER), this::list),
                new ApiRoute(
                        HandlerType.GET, "clusters/{cluster}", Access.read(Who.VIEWER, Extent.CLUSTER), this::spec),
                new ApiRoute(
                        HandlerType.PUT,
                        "clusters/{cluster}",
                        Access.change(Who.OPERATOR, Extent.CLUSTER),
                        this::apply),
                new ApiRoute(
                        HandlerType.DELETE,
                        "clusters/{cluster}",
                        Access.change(Who.OPERATOR, Extent.CLUSTER),
                        this::delete),
                new ApiRoute(
                        HandlerType.GET,
                        "clusters/{cluster}/status",
                        Access.read(Who.VIEWER, Extent.CLUSTER),
                        this::status),
                new ApiRoute(
                        HandlerType.GET,
                        "clusters/{cluster}/ring",
                        Access.read(Who.VIEWER, Extent.CLUSTER),
                        this::ring),
                new ApiRoute(
                        HandlerType.GET,
                        "clusters/{cluster}/specs",
                        Access.read(Who.VIEWER, Extent.CLUSTER),
                        this::specs));
    }

    private void list(Context ctx) {
        Principal caller = Caller.of(ctx);
        ctx.json(statuses.list(views.now(), Requests.scope(ctx)).only(c -> caller.sees(c.cluster())));
    }

    private void spec(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        View view = views.now();
        SpecRecord spec = remote.read(view, cluster, Requests.reach(ctx), peer -> peer.spec(cluster))
                .or(() -> Optional.ofNullable(view.clusters().get(cluster))
                        .filter(c -> !c.deleting())
                        .flatMap(c -> view.targetSpec(cluster)))
                .orElseThrow(() -> ClusterChanges.unknown(cluster));
        tag(ctx, spec.version());
        ctx.json(spec);
    }

    private void apply(Context ctx) {
        String yaml = Requests.body(ctx, SPEC_LIMIT_BYTES);
        ClusterName cluster = Requests.cluster(ctx);
        Long ifVersion = Requests.ifVersion(ctx);
        Principal who = Caller.of(ctx);
        ChangeOptions options = Requests.options(ctx);
        ChangeAnswer answer = remote.change(
                        views.now(),
                        cluster,
                        Requests.reach(ctx),
                        who,
                        peer -> peer.apply(cluster, yaml, ifVersion, options))
                .orElseGet(() -> changes.apply(cluster, yaml, ifVersion, who, options));
        if (!answer.dryRun()) {
            tag(ctx, answer.specVersion());
        }
        ctx.json(answer);
    }

    private void delete(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        boolean destroyData = Requests.flag(ctx, "destroyData");
        if (destroyData) {
            Caller.require(ctx, Role.ADMIN, "destroying data");
        }
        Long ifVersion = Requests.ifVersion(ctx);
        Principal who = Caller.of(ctx);
        ChangeOptions options = Requests.options(ctx);
        ctx.json(remote.change(
                        views.now(),
                        cluster,
                        Requests.reach(ctx),
                        who,
                        peer -> peer.delete(cluster, destroyData, ifVersion, options))
                .orElseGet(() -> changes.delete(cluster, destroyData, ifVersion, who, options)));
    }

    private void status(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        Scope scope = Requests.scope(ctx);
        View view = views.now();
        Optional<ClusterStatus> there =
                remote.read(view, cluster, Requests.reach(ctx), peer -> peer.status(cluster, scope));
        ctx.json(there.or(() -> statuses.here(view, cluster).map(here -> statuses.status(view, here, scope)))
                .orElseThrow(() -> ClusterChanges.unknown(cluster)));
    }

    private void ring(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        Scope scope = Requests.scope(ctx);
        View view = views.now();
        Optional<FleetList<RingNode>> there =
                remote.read(view, cluster, Requests.reach(ctx), peer -> peer.ring(cluster, scope));
        ctx.json(there.or(() -> statuses.here(view, cluster).map(here -> rings.of(view, here, scope)))
                .orElseThrow(() -> ClusterChanges.unknown(cluster)));
    }

    private void specs(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        View view = views.now();
        ctx.json(remote.read(view, cluster, Requests.reach(ctx), peer -> peer.specs(cluster))
                .or(() -> Optional.ofNullable(view.specs().get(cluster)).map(all -> List.copyOf(all.values())))
                .orElseThrow(() -> ClusterChanges.unknown(cluster)));
    }

    private static void tag(Context ctx, long version) {
        ctx.header("ETag", "\"" + version + "\"");
    }
}
