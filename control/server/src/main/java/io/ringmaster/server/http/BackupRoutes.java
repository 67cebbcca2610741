package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.backup.BackupReader;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.wire.api.LocationAsk;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The locations of backups, and the backups there: also those of clusters that are gone. */
final class BackupRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(BackupRoutes.class);
    private static final int BODY_LIMIT_BYTES = 16 * 1024;

    private final BackupLocations locations;
    private final BackupReader reader;

    BackupRoutes(BackupLocations locations, BackupReader reader) {
        this.locations = locations;
        this.reader = reader;
    }

    List<ApiRoute> routes() {
        String one = "backup-locations/{name}";
        return List.of(
                new ApiRoute(
                        HandlerType.GET,
                        "backup-locations",
                        Access.read(Who.VIEWER, Extent.CLUSTER),
                        ctx -> ctx.json(locations.list())),
                new ApiRoute(HandlerType.POST, one, Access.change(Who.ADMIN, Extent.FLEET), this::add),
                new ApiRoute(HandlerType.POST, one + "/check", Access.change(Who.OPERATOR, Extent.FLEET), this::check),
                new ApiRoute(HandlerType.GET, one + "/backups", Access.read(Who.VIEWER, Extent.CLUSTER), this::list),
                new ApiRoute(
                        HandlerType.GET,
                        one + "/backups/{cluster}/{incarnation}/{id}",
                        Access.read(Who.VIEWER, Extent.CLUSTER),
                        this::show));
    }

    private void add(Context ctx) {
        String name = ctx.pathParam("name");
        LocationAsk ask = Requests.json(Requests.body(ctx, BODY_LIMIT_BYTES), LocationAsk.class);
        ctx.json(locations.add(name, ask));
        LOG.info("{} added the backup location {}: {}", Caller.of(ctx).name(), name, ask.url());
    }

    private void check(Context ctx) {
        ctx.json(reader.check(ctx.pathParam("name")));
    }

    private void list(Context ctx) {
        String cluster = ctx.queryParam("cluster");
        Principal caller = Caller.of(ctx);
        ctx.json(reader
                .list(
                        ctx.pathParam("name"),
                        cluster == null ? null : Requests.parse("cluster", cluster, ClusterName::new))
                .stream()
                .filter(b -> caller.sees(b.cluster()))
                .toList());
    }

    private void show(Context ctx) {
        ctx.json(reader.read(
                ctx.pathParam("name"), Requests.cluster(ctx), ctx.pathParam("incarnation"), ctx.pathParam("id")));
    }
}
