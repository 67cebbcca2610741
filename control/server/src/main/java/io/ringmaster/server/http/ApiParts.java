package io.ringmaster.server.http;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.access.Credentials;
import io.ringmaster.server.access.FailureLimit;
import io.ringmaster.server.access.RefusalLog;
import io.ringmaster.server.backup.BackupDeletion;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.backup.BackupReader;
import io.ringmaster.server.backup.RestoreMarks;
import io.ringmaster.server.change.ClusterChanges;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.change.OperationRequests;
import io.ringmaster.server.door.ServerDoor;
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
import io.ringmaster.server.secret.PasswordDirectory;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.node.ExecutorLogins;
import io.ringmaster.wire.node.ExecutorLogs;
import io.ringmaster.wire.peer.HttpPeers;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators of the API's routes.
 *
 * @param credentials for calls to other servers
 * @param openReads reads need no token
 * @param url the base URL under which others reach the server
 * @param webHosts further hosts under which it may be asked
 * @param door its TLS; null for plain HTTP
 */
public record ApiParts(
        DatacenterName datacenter,
        PeerCredentials credentials,
        Path tokenFile,
        boolean openReads,
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
        ExecutorLogins logins,
        EventRing events,
        EventRing fleetEvents,
        ServerMetrics metrics,
        BackupLocations locations,
        RestoreMarks marks,
        PasswordDirectory passwords,
        @Nullable ServerDoor door) {

    public Api api() {
        Authentication authentication = authentication();
        var guard = new AccessGuard(
                authentication,
                tokenFile.toString(),
                openReads,
                new FailureLimit(clock),
                new RefusalLog(clock, controller::later));
        return new Api(
                routes(authentication),
                new OriginGuard(authentication, url, webHosts),
                guard,
                new LeaderProxy(lead, credentials),
                metrics,
                door);
    }

    private Authentication authentication() {
        Secret token = credentials.token();
        return new Authentication(
                new Credentials(token, views::now, clock), new SessionCookie(new SessionSigner(token), clock, url));
    }

    public List<ApiRoute> routes() {
        return routes(authentication());
    }

    private List<ApiRoute> routes(Authentication authentication) {
        var remote = new RemoteClusters(fleet);
        var backups = new BackupReader(locations);
        var deletion = new BackupDeletion(backups, clock);
        var changes = new ClusterChanges(views, controller, fleet, backups, locations, marks, passwords, door != null);
        return Stream.of(
                        new FleetRoutes(views, fleet, lead, events, datacenter, clock.now()).routes(),
                        new LoginRoutes(
                                        datacenter,
                                        openReads,
                                        clock,
                                        authentication,
                                        new SessionSigner(credentials.token()))
                                .routes(),
                        new TokenRoutes(views, controller, clock).routes(),
                        new MachineRoutes(views, controller, fleet).routes(),
                        new VolumeRoutes(views, controller, fleet).routes(),
                        new ClusterRoutes(
                                        views,
                                        new FleetClusterStatuses(fleet, unplanned),
                                        new Rings(fleet),
                                        remote,
                                        changes)
                                .routes(),
                        new CertificateRoutes(views, remote).routes(),
                        new OperationRoutes(
                                        views,
                                        remote,
                                        new OperationRequests(views, controller, fleet, locations, deletion))
                                .routes(),
                        new BackupRoutes(locations, backups).routes(),
                        new PlanRoutes(views, controller, fleet).routes(),
                        new AuditRoute(views, controller, fleet).routes(),
                        new NodeRoutes(views, fleet, executors).routes(),
                        new RoleRoutes(views, controller, passwords, logins, clock).routes(),
                        new PeerRoutes(peers).routes(),
                        new EventRoute(lead, events, fleetEvents, clock, authentication).routes(),
                        new MetricsRoute(metrics, lead, views).routes())
                .flatMap(List::stream)
                .toList();
    }
}
