package io.ringmaster.wire.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.api.AuditEntry;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.api.DatacenterInfo;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.api.LocationInfo;
import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.OperationInfo;
import io.ringmaster.wire.api.OperationState;
import io.ringmaster.wire.api.RecentEvents;
import io.ringmaster.wire.api.RingNode;
import io.ringmaster.wire.api.RolePassword;
import io.ringmaster.wire.api.SharingAsk;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.api.TokenInfo;
import io.ringmaster.wire.api.VolumeState;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A client of the REST API of one server. Every call throws {@link RefusedException} when the server refuses it and
 * {@link UnreachableException} when no answer arrives in time. Safe for several threads.
 */
public final class RingmasterClient {
    /** The secret of the tunnel that a request of the page came through. Its session ends with that tunnel. */
    public static final String TUNNEL_HEADER = "Ringmaster-Tunnel";

    /** Marks the requests of a server of another datacenter, so that they are not forwarded to a third. */
    public static final String PEER_HEADER = "Ringmaster-Peer";

    private final URI server;
    private final HttpJson http;

    /**
     * @param server base URL, such as {@code http://127.0.0.1:8080}
     * @param token the API token, required for changes; null for reads only
     * @param timeout the limit for each call, the body included
     */
    public RingmasterClient(URI server, @Nullable String token, Duration timeout) {
        this(server, token, timeout, null);
    }

    /**
     * As above, for a server that is trusted by a CA of its own.
     *
     * @param tls which servers are trusted; null for the roots of the JVM
     */
    public RingmasterClient(URI server, @Nullable String token, Duration timeout, @Nullable SSLContext tls) {
        this(server, new HttpJson(token, timeout, tls));
    }

    private RingmasterClient(URI server, HttpJson http) {
        this.server = server;
        this.http = http;
    }

    /**
     * A client of the same server that acts for a caller of this one: with the caller's rights, and audited under its
     * name. The client's own token must be that of the servers.
     *
     * @param timeout the limit for each call, the body included
     */
    public RingmasterClient as(Principal caller, Duration timeout) {
        return new RingmasterClient(server, http.as(caller, timeout));
    }

    /** A client of the same server for a server of another datacenter; its requests are not forwarded again. */
    public RingmasterClient asPeer() {
        return new RingmasterClient(server, http.asPeer());
    }

    public URI server() {
        return server;
    }

    public Health health() {
        return http.get(at("health"), new TypeReference<>() {});
    }

    /** A code that opens one session of the page, under the name of this computer's user. */
    public LoginCode loginCode(Duration lifetime) {
        var request = http.request(at("login-codes", "seconds=" + lifetime.toSeconds()))
                .POST(BodyPublishers.noBody())
                .build();
        return HttpJson.read(request.uri(), http.send(request), new TypeReference<>() {});
    }

    /**
     * Asks for the page as a browser does, without the token. Refused by a server that was built without it, or that
     * does not know this host.
     */
    public void checkPage() {
        http.send(HttpRequest.newBuilder(server.resolve("/")).build());
    }

    public DatacenterInfo datacenter() {
        return http.get(at("datacenter"), new TypeReference<>() {});
    }

    public FleetList<DatacenterInfo> datacenters() {
        return http.get(at("datacenters"), new TypeReference<>() {});
    }

    public FleetList<ClusterSummary> clusters() {
        return clusters(Scope.FLEET);
    }

    public FleetList<ClusterSummary> clusters(Scope scope) {
        return http.get(at("clusters", scope.parameter()), new TypeReference<>() {});
    }

    /** The newest spec; its version is the {@code ifVersion} of a following {@link #apply}. */
    public SpecRecord spec(ClusterName cluster) {
        return http.get(at("clusters/" + cluster), new TypeReference<>() {});
    }

    /** The stored versions of the spec, the oldest first. */
    public List<SpecRecord> specs(ClusterName cluster) {
        return http.get(at("clusters/" + cluster + "/specs"), new TypeReference<>() {});
    }

    public ClusterStatus status(ClusterName cluster, Scope scope) {
        return http.get(at("clusters/" + cluster + "/status", scope.parameter()), new TypeReference<>() {});
    }

    /**
     * The authorities by which CQL clients trust the nodes of the cluster, of all its datacenters.
     *
     * @return PEM; refused for a cluster whose spec has no {@code tls.clients}
     */
    public String clientAuthorities(ClusterName cluster) {
        return http.send(http.request(at("clusters/" + cluster + "/ca")).GET().build());
    }

    /** Makes a superuser of the cluster that ends after hours. */
    public CqlLogin cqlLogin(ClusterName cluster) {
        URI uri = at("clusters/" + cluster + "/logins");
        String body = http.send(http.request(uri).POST(BodyPublishers.noBody()).build());
        return HttpJson.read(uri, body, new TypeReference<>() {});
    }

    /** The generated password of a declared role. */
    public RolePassword rolePassword(ClusterName cluster, RoleName role) {
        return http.get(at("clusters/" + cluster + "/roles/" + role + "/password"), new TypeReference<>() {});
    }

    /** The nodes of the cluster that have tokens. */
    public FleetList<RingNode> ring(ClusterName cluster, Scope scope) {
        return http.get(at("clusters/" + cluster + "/ring", scope.parameter()), new TypeReference<>() {});
    }

    /**
     * Applies a spec. {@link RefusedException#problems} lists every invalid field.
     *
     * @param ifVersion refuse with VERSION_CONFLICT unless the stored spec has this version (0: the cluster must not
     *     exist); null accepts every version
     */
    public ChangeAnswer apply(ClusterName cluster, String yaml, @Nullable Long ifVersion, ChangeOptions options) {
        var request = change(at("clusters/" + cluster, options.parameters()), options)
                .header("Content-Type", "application/yaml")
                .PUT(BodyPublishers.ofString(yaml));
        return change(ifVersion(request, ifVersion).build());
    }

    /** @param destroyData destroy the volumes too; otherwise they are kept */
    public ChangeAnswer delete(
            ClusterName cluster, boolean destroyData, @Nullable Long ifVersion, ChangeOptions options) {
        var parameters = new ArrayList<>(List.of(options.parameters()));
        parameters.add("destroyData=" + destroyData);
        var request = change(at("clusters/" + cluster, parameters.toArray(String[]::new)), options)
                .DELETE();
        return change(ifVersion(request, ifVersion).build());
    }

    /** @param cluster null for all */
    public FleetList<Plan> plans(@Nullable ClusterName cluster) {
        return plans(cluster, Scope.FLEET);
    }

    /** @param cluster null for all */
    public FleetList<Plan> plans(@Nullable ClusterName cluster, Scope scope) {
        URI uri =
                cluster == null ? at("plans", scope.parameter()) : at("plans", scope.parameter(), "cluster=" + cluster);
        return http.get(uri, new TypeReference<>() {});
    }

    public Plan plan(PlanId plan) {
        return http.get(at("plans/" + plan), new TypeReference<>() {});
    }

    /** @param step the name of the step for {@code RETRY} and {@code FORCE_COMPLETE} of one step; otherwise null */
    public Plan ask(PlanId plan, PlanVerb verb, @Nullable String step) {
        String path = "plans/" + plan + "/" + verb.label();
        URI uri = step == null ? at(path) : at(path, "step=" + URLEncoder.encode(step, UTF_8));
        var request = http.request(uri).POST(BodyPublishers.noBody()).build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** Stores the measurement of a load with the plan that ran beside it. */
    public Plan keepLoad(PlanId plan, PlanLoad load) {
        URI uri = at("plans/" + plan + "/load");
        var request = http.request(uri)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(Json.bytes(load)))
                .build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** The audit of all datacenters, the newest entry first. */
    public FleetList<AuditEntry> audit(int limit) {
        return audit(limit, Scope.FLEET);
    }

    public FleetList<AuditEntry> audit(int limit, Scope scope) {
        return http.get(at("audit", scope.parameter(), "limit=" + limit), new TypeReference<>() {});
    }

    public FleetList<MachineState> machines() {
        return machines(Scope.FLEET);
    }

    public FleetList<MachineState> machines(Scope scope) {
        return http.get(at("machines", scope.parameter()), new TypeReference<>() {});
    }

    /** Estimates the number of machines for a mix of clusters, in each datacenter that it names. Changes nothing. */
    public FleetList<SharingEstimate> whatIf(SharingAsk ask) {
        var request = http.request(at("machines/what-if"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(ask)))
                .build();
        return HttpJson.read(request.uri(), http.send(request), new TypeReference<>() {});
    }

    /** Excludes the machine from placement; {@code reason} is kept in the audit. */
    public MachineState cordon(DatacenterName datacenter, MachineName machine, String reason) {
        URI uri = at(cordonOf(datacenter, machine), "reason=" + URLEncoder.encode(reason, UTF_8));
        return machine(http.request(uri).PUT(BodyPublishers.noBody()).build());
    }

    public MachineState uncordon(DatacenterName datacenter, MachineName machine) {
        return machine(http.request(at(cordonOf(datacenter, machine))).DELETE().build());
    }

    private MachineState machine(HttpRequest request) {
        return HttpJson.read(request.uri(), http.send(request), new TypeReference<>() {});
    }

    private static String cordonOf(DatacenterName datacenter, MachineName machine) {
        return "machines/" + datacenter + "/" + machine + "/cordon";
    }

    /** The volumes that no node uses. */
    public FleetList<VolumeState> volumes(Scope scope) {
        return http.get(at("volumes", scope.parameter()), new TypeReference<>() {});
    }

    /** Orders the destruction of a volume that no node uses. */
    public VolumeState discardVolume(DatacenterName datacenter, AllocationId volume, boolean dryRun) {
        URI uri = at("volumes/" + datacenter + "/" + volume, "dryRun=" + dryRun);
        return HttpJson.read(uri, http.send(http.request(uri).DELETE().build()), new TypeReference<>() {});
    }

    public List<OperationInfo> operations() {
        return http.get(at("operations"), new TypeReference<>() {});
    }

    /** The requests for operations on a cluster with their progress, the oldest first. */
    public List<OperationState> operations(ClusterName cluster) {
        return http.get(at("clusters/" + cluster + "/operations"), new TypeReference<>() {});
    }

    /** Requests an operation of the catalogue. */
    public OperationAnswer operate(ClusterName cluster, String operation, OperationAsk ask, ChangeOptions options) {
        URI uri =
                at("clusters/" + cluster + "/operations/" + URLEncoder.encode(operation, UTF_8), options.parameters());
        var request = change(uri, options)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(ask)))
                .build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** The locations of backups that the server knows. */
    public LocationInfo.Directory locations() {
        return http.get(at("backup-locations"), new TypeReference<>() {});
    }

    /** Adds a location to those of the server; refused if there is one with the name. */
    public LocationInfo addLocation(String name, LocationAsk ask) {
        URI uri = at("backup-locations/" + URLEncoder.encode(name, UTF_8));
        var request = http.request(uri)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(ask)))
                .build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** Lets the server ask the location for its backups; refused with what the location says. */
    public LocationInfo.Checked checkLocation(String name) {
        URI uri = at("backup-locations/" + URLEncoder.encode(name, UTF_8) + "/check");
        var request = http.request(uri).POST(BodyPublishers.noBody()).build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** The backups in a location, the newest first; of one cluster if it is named. */
    public List<BackupInfo> backups(String location, @Nullable ClusterName cluster) {
        String path = "backup-locations/" + URLEncoder.encode(location, UTF_8) + "/backups";
        return http.get(cluster == null ? at(path) : at(path, "cluster=" + cluster), new TypeReference<>() {});
    }

    public BackupInfo.Details backup(String location, BackupInfo backup) {
        String key = backup.cluster() + "/" + backup.incarnation() + "/" + backup.id();
        return http.get(
                at("backup-locations/" + URLEncoder.encode(location, UTF_8) + "/backups/" + key),
                new TypeReference<>() {});
    }

    /**
     * The end of one of a node's logs.
     *
     * @param file {@code system}, {@code daemon}, {@code gc} or {@code executor}
     */
    public String logs(NodeId node, String file, int lines) {
        URI uri = at("nodes/" + node + "/logs", "file=" + URLEncoder.encode(file, UTF_8), "lines=" + lines);
        return http.send(http.request(uri).GET().build());
    }

    /** The API tokens of the fleet, by id. */
    public List<TokenInfo> tokens() {
        return http.get(at("tokens"), new TypeReference<>() {});
    }

    /** Creates an API token; the answer of a call that is no dry run is the only place that ever holds it. */
    public TokenAnswer createToken(TokenAsk ask, boolean dryRun) {
        URI uri = at("tokens", "dryRun=" + dryRun);
        var request = http.request(uri)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(ask)))
                .build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** Revokes an API token at every server that can be reached now, and at the others as soon as they can be. */
    public TokenInfo revokeToken(TokenId token, boolean dryRun) {
        URI uri = at("tokens/" + token, "dryRun=" + dryRun);
        return HttpJson.read(uri, http.send(http.request(uri).DELETE().build()), new TypeReference<>() {});
    }

    /** Between servers: sends the own report and returns the other server's. */
    public DatacenterReport exchange(DatacenterReport own) {
        URI uri = at("peers/exchange");
        var request = http.request(uri)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(own)))
                .build();
        return HttpJson.read(uri, http.send(request), new TypeReference<>() {});
    }

    /** @param after the id of the last event seen, or null to start with the next event */
    public EventFollower follow(@Nullable String after) {
        return new EventFollower(http, at("events"), after);
    }

    /** As {@link #follow}, with the events of all datacenters; its ids belong to this stream only. */
    public EventFollower followFleet(@Nullable String after) {
        return new EventFollower(http, at("events", "fleet=true"), after);
    }

    /** The last events of all datacenters, the oldest first. */
    public RecentEvents recentEvents(int limit) {
        return http.get(at("events/recent", "limit=" + limit), new TypeReference<>() {});
    }

    private HttpRequest.Builder change(URI uri, ChangeOptions options) {
        var request = http.request(uri);
        return options.ifPlan() == null
                ? request
                : request.header("If-Plan", options.ifPlan().value());
    }

    private ChangeAnswer change(HttpRequest request) {
        return HttpJson.read(request.uri(), http.send(request), new TypeReference<>() {});
    }

    private static HttpRequest.Builder ifVersion(HttpRequest.Builder request, @Nullable Long version) {
        return version == null ? request : request.header("If-Match", "\"" + version + "\"");
    }

    private URI at(String path, String... parameters) {
        String query = String.join("&", parameters);
        return server.resolve("/api/v1/" + path + (query.isEmpty() ? "" : "?" + query));
    }
}
