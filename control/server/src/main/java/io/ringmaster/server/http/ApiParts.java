package io.ringmaster.server.http;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.backup.BackupDeletion;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.backup.BackupReader;
import io.ringmaster.server.change.ClusterChanges;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.change.OperationRequests;
import io.ringmaster.server.event.EventRing;
import io.ringmaster.server.login.SessionSigner;
import io.ringmaster.server.metric.ServerMetrics;
import io.ringmaster.server.read.FleetClusterStatuses;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.server.read.RemoteClusters;
import io.ringmaster.server.read.Rings;
import io.ringmaster.server.read.UnplannedSpecs;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.node.ExecutorLogs;
import io.ringmaster.wire.peer.HttpPeers;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The collaborators of the API's routes.
 *
 * @param readsOpen reads need no token, because only this computer can reach the server
 * @param url the base URL under which others reach the server
 * @param webHosts further hosts under which it may be asked
 */
public record ApiParts(
        DatacenterName datacenter,
        String token,
        Path tokenFile,
        boolean readsOpen,
        URI url,
        List<String> webHosts,
        Clock clock,
        LeadershipState lead,
        Views views,
        ControllerGateway controller,
        FleetReader fleet,
        UnplannedSpecs unplanned,
        HttpPeers peers,
        ExecutorLogs executors,
        EventRing events,
        EventRing fleetEvents,
        ServerMetrics metrics,
        BackupLocations locations) {

    public Api api() {
        var sessions = sessions();
        var guard = new AccessGuard(token, tokenFile.toString(), readsOpen, sessions);
        return new Api(
                routes(sessions), new OriginGuard(guard, url, webHosts), guard, new LeaderProxy(lead, token), metrics);
    }

    private SessionCookie sessions() {
        return new SessionCookie(new SessionSigner(token), clock, url);
    }

    public List<ApiRoute> routes() {
        return routes(sessions());
    }

    private List<ApiRoute> routes(SessionCookie sessions) {
        var remote = new RemoteClusters(fleet);
        var backups = new BackupReader(locations);
        var deletion = new BackupDeletion(backups, clock);
        var changes = new ClusterChanges(views, controller, fleet, backups, locations);
        return Stream.of(
                        new FleetRoutes(views, fleet, lead, events, datacenter, clock.now()).routes(),
                        new LoginRoutes(datacenter, token, readsOpen, clock, new SessionSigner(token), sessions)
                                .routes(),
                        new MachineRoutes(views, controller, fleet).routes(),
                        new ClusterRoutes(
                                        views,
                                        new FleetClusterStatuses(fleet, unplanned),
                                        new Rings(fleet),
                                        remote,
                                        changes)
                                .routes(),
                        new OperationRoutes(
                                        views,
                                        remote,
                                        new OperationRequests(views, controller, fleet, locations, deletion))
                                .routes(),
                        new BackupRoutes(locations, backups).routes(),
                        new PlanRoutes(views, controller, fleet).routes(),
                        new AuditRoute(views, controller, fleet).routes(),
                        new NodeRoutes(views, fleet, executors).routes(),
                        new PeerRoutes(peers).routes(),
                        new EventRoute(lead, events, fleetEvents, clock, sessions).routes(),
                        new MetricsRoute(metrics, lead, views).routes())
                .flatMap(List::stream)
                .toList();
    }
}
