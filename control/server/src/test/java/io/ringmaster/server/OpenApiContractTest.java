package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.server.OpenApiFile.Operation;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.SharingAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server answers as {@code api/openapi.yaml} describes, and the file describes everything that the server answers.
 */
class OpenApiContractTest {
    private static final OpenApiFile FILE = OpenApiFile.read();
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 2, seeds: 1}", "dc2: {nodes: 1, seeds: 1}");

    private static final String TOKEN_ASK =
            "{\"name\":\"ci\",\"role\":\"OPERATOR\",\"clusters\":\"team-*\",\"lifetimeSeconds\":3600}";

    private static final String RESTORE = SPEC.replace("rides", "rides2")
            + "restore: {from: nowhere, cluster: rides, incarnation: dc1-1, backup: 20261124T040000Z-3f9c}\n";

    /**
     * @param ifPlan the header {@code If-Plan}, or null
     * @param status the expected HTTP status
     */
    private record Call(String operation, String path, String body, @Nullable String ifPlan, int status) {
        Call ifPlan(String digest) {
            return new Call(operation, path, body, digest, status);
        }
    }

    /**
     * In this order, because the last calls delete the cluster. Contains every operation of the file, refusals
     * included.
     */
    private static final List<Call> CALLS = List.of(
            call("health", "health", 200),
            call("loginCode", "login-codes", 200),
            call("loginCode", "login-codes?seconds=601", 400),
            call("session", "session", 200),
            call("login", "session", "{\"token\":\"" + TestDatacenter.TOKEN + "\",\"who\":\"anna\"}", 200),
            call("login", "session", "{\"code\":\"guessed\"}", 401),
            call("login", "session", "{}", 400),
            call("logout", "session", 204),
            call("tokens", "tokens", 200),
            call("createToken", "tokens?dryRun=true", TOKEN_ASK, 200),
            call("createToken", "tokens", TOKEN_ASK, 200),
            call("createToken", "tokens", TOKEN_ASK.replace("3600", "0"), 400),
            call("createToken", "tokens", TOKEN_ASK.replace("ci", "local-admin"), 400),
            call("createToken", "tokens", "{}", 400),
            call("tokens", "tokens", 200),
            call("revokeToken", "tokens/dc1-aaaaaaaa", 404),
            call("revokeToken", "tokens/none", 400),
            call("datacenter", "datacenter", 200),
            call("datacenters", "datacenters", 200),
            call("datacenters", "datacenters?local=true", 200),
            call("machines", "machines", 200),
            call("machines", "machines?local=true", 200),
            call("whatIf", "machines/what-if", Json.text(mix("4GiB")), 200),
            call("whatIf", "machines/what-if", Json.text(mix("40TiB")), 200),
            call("whatIf", "machines/what-if", Json.text(mix("4GB")), 422),
            call("whatIf", "machines/what-if", "{}", 400),
            call("cordon", "machines/dc1/machine-1/cordon?reason=disk%20fails", 200),
            call("cordon", "machines/dc1/machine-99/cordon", 404),
            call("cordon", "machines/dc9/machine-1/cordon", 422),
            call("uncordon", "machines/dc1/machine-1/cordon", 200),
            call("uncordon", "machines/dc2/machine-1/cordon", 200),
            call("volumes", "volumes", 200),
            call("volumes", "volumes?local=true", 200),
            call("discardVolume", "volumes/dc1/rides-dc1-node-0?dryRun=true", 422),
            call("discardVolume", "volumes/dc1/nobody", 404),
            call("discardVolume", "volumes/dc1/NO", 400),
            call("discardVolume", "volumes/dc9/nobody", 422),
            call("operations", "operations", 200),
            call("addLocation", "backup-locations/local", "{\"url\":\"file:///FOLDER\"}", 200),
            call("addLocation", "backup-locations/local", "{\"url\":\"file:///FOLDER\"}", 400),
            call("addLocation", "backup-locations/Local", "{\"url\":\"file:///FOLDER\"}", 400),
            call("addLocation", "backup-locations/other", "{\"url\":\"ftp://tmp\"}", 400),
            call("locations", "backup-locations", 200),
            call("checkLocation", "backup-locations/nowhere/check", 404),
            call("backups", "backup-locations/nowhere/backups", 404),
            call("backups", "backup-locations/nowhere/backups?cluster=NO", 400),
            call("backup", "backup-locations/nowhere/backups/rides/dc1-1/20261124T040000Z-3f9c", 404),
            call("operate", "clusters/rides/operations/backup", "{\"params\":{\"to\":\"nowhere\"}}", 404),
            call("metrics", "metrics", 200),
            call("audit", "audit", 200),
            call("audit", "audit?limit=1&local=true", 200),
            call("audit", "audit?limit=0", 400),
            call("clusters", "clusters", 200),
            call("spec", "clusters/rides", 200),
            call("spec", "clusters/nowhere", 404),
            call("spec", "clusters/NO", 400),
            call("status", "clusters/rides/status", 200),
            call("status", "clusters/rides/status?local=true", 200),
            call("status", "clusters/nowhere/status", 404),
            call("ring", "clusters/rides/ring", 200),
            call("ring", "clusters/rides/ring?local=true", 200),
            call("ring", "clusters/nowhere/ring", 404),
            call("clientAuthorities", "clusters/rides/ca", 404),
            call("clientAuthorities", "clusters/nowhere/ca", 404),
            call("cqlLogin", "clusters/rides/logins", 400),
            call("cqlLogin", "clusters/nowhere/logins", 404),
            call("rolePassword", "clusters/rides/roles/app/password", 400),
            call("rolePassword", "clusters/rides/roles/App/password", 400),
            call("specs", "clusters/rides/specs", 200),
            call("requests", "clusters/nowhere/operations", 404),
            call("operate", "clusters/rides/operations/restart?dryRun=true", "{\"params\":{\"dc\":\"dc1\"}}", 200),
            call("operate", "clusters/rides/operations/flush", "{\"why\":\"a test\"}", 200),
            call("operate", "clusters/rides/operations/fly", 404),
            call("operate", "clusters/rides/operations/restart", "{\"params\":{\"dc\":\"dc9\"}}", 422),
            call("operate", "clusters/rides/operations/restart", "{\"params\":{\"rack\":\"r9\"}}", 404),
            call("operate", "clusters/rides/operations/drain", 422),
            call("operate", "clusters/rides/operations/restart", "[]", 400),
            call("operate", "clusters/nowhere/operations/restart", 404),
            call("operate", "clusters/rides/operations/restart", "{}", 409).ifPlan("0123456789abcdef0123456789abcdef"),
            call("operate", "clusters/rides/operations/restart", "{}", 400).ifPlan("3"),
            call("requests", "clusters/rides/operations", 200),
            call("plans", "plans", 200),
            call("plans", "plans?cluster=rides&local=true", 200),
            call("plan", "plans/dc1-1", 200),
            call("plan", "plans/dc2-1", 200),
            call("plan", "plans/dc1-99", 404),
            call("steer", "plans/dc1-1/pause", 409),
            call("keepLoad", "plans/dc1-1/load", Json.text(load(0)), 200),
            call("keepLoad", "plans/dc2-1/load", Json.text(load(3)), 200),
            call("keepLoad", "plans/dc1-99/load", Json.text(load(0)), 404),
            call("keepLoad", "plans/dc1-1/load", "{\"what\":\"nothing\"}", 400),
            call("plan", "plans/dc2-1", 200),
            call("logs", "nodes/rides/dc1/node-0/logs?file=system&lines=3", 200),
            call("logs", "nodes/rides/dc1/node-9/logs", 404),
            call("seeds", "seeds?node=rides/dc1/node-0", 200),
            call("seeds", "seeds?node=rides/dc1/node-9", 404),
            call("events", "events", 400),
            call("events", "events?fleet=maybe", 400),
            call("recentEvents", "events/recent", 200),
            call("recentEvents", "events/recent?cluster=rides&plan=dc1-1&limit=3", 200),
            call("recentEvents", "events/recent?limit=0", 400),
            call("recentEvents", "events/recent?plan=none", 400),
            call("exchange", "peers/exchange", Json.text(report()), 200),
            call("exchange", "peers/exchange", "[]", 400),
            call("apply", "clusters/rides", SPEC, 200),
            call("apply", "clusters/other?dryRun=true", SPEC.replace("rides", "other"), 200),
            call("apply", "clusters/rides2", RESTORE, 404),
            call("apply", "clusters/bad", "cluster: bad\nnodes: 3\n", 422),
            call("delete", "clusters/rides?dryRun=true&destroyData=true", 200),
            call("delete", "clusters/nowhere", 404),
            call("delete", "clusters/rides?destroyData=true", 200));

    /** The kind of a parameter is a property of the catalogue of operations, not of these answers. */
    private static final String PARAMETER_KIND = "OperationInfo/properties/params/items/properties/kind";

    /** By their place below {@code components/schemas}. */
    private static final Map<String, Class<? extends Enum<?>>> ENUMS = Map.ofEntries(
            Map.entry("OperatingMode", OperatingMode.class),
            Map.entry("ErrorCode", ErrorCode.class),
            Map.entry("Health/properties/state", Health.State.class),
            Map.entry("LockScope", LockScope.class),
            Map.entry("Role", Role.class),
            Map.entry("TokenInfo/properties/state", TokenRecord.State.class),
            Map.entry("LockState/properties/lockScope", LockScope.class),
            Map.entry("RequestPart/properties/state", RequestPart.State.class),
            Map.entry("Event/properties/type", Event.Type.class),
            Map.entry("Machine/properties/state", Machine.State.class),
            Map.entry("VolumeState/properties/reason", KeptVolume.Reason.class),
            Map.entry("AllocationState/properties/status", AllocationState.Status.class),
            Map.entry("AuthorityRecord/properties/name/properties/use", AuthorityUse.class),
            Map.entry("ClusterSpec/properties/preset", Preset.class),
            Map.entry("ClusterSpec/properties/tls/properties/internode", TlsMode.class),
            Map.entry("ClusterSpec/properties/tls/properties/clients", ClientTlsMode.class),
            Map.entry(
                    "ClusterSpec/properties/roles/items/properties/password/properties/kind",
                    PasswordSource.Kind.class),
            Map.entry(
                    "ClusterSpec/properties/roles/items/properties/grants/items/properties/permissions/items",
                    RolePermission.class),
            Map.entry("ClusterSpec/properties/jvm/properties/collector", JvmSpec.Collector.class),
            Map.entry("ClusterSpec/properties/placement/properties/racks", PlacementSpec.Racks.class),
            Map.entry("Condition", Condition.class),
            Map.entry("Finding/properties/severity", Finding.Severity.class),
            Map.entry("Plan/properties/status", PlanStatus.class),
            Map.entry("Plan/properties/phases/items/properties/strategy", Phase.Strategy.class),
            Map.entry("StepState/properties/status", StepState.Status.class),
            Map.entry("TaskStatus/properties/state", TaskStatus.State.class),
            Map.entry("StepState/properties/change", NodeChangeKind.class));

    @TempDir
    static Path directory;

    private static List<TestDatacenter> both;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        both = TestDatacenter.two(directory);
        var client = both.get(0).client();
        Eventually.is(() -> client.datacenter().peers().stream().allMatch(p -> p.silence() == null));
        client.apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> client.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
    }

    @AfterAll
    static void stop() {
        both.forEach(TestDatacenter::close);
    }

    private static SharingAsk mix(String disk) {
        return new SharingAsk(
                List.of(new SharingAsk.Entry("rides.yaml", SPEC.replace("4GiB", disk), 3, null)), List.of(), null);
    }

    @Test
    void file_and_server_have_the_same_routes() {
        Set<String> file = FILE.operations().stream()
                .map(o -> o.method() + " " + o.path().substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> server = both.get(0).routes().stream()
                .map(r -> r.method() + " " + r.path())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(server).isEqualTo(file);
    }

    @Test
    void file_and_server_give_the_same_access() {
        Set<String> file = FILE.operations().stream()
                .map(o -> o.method() + " " + o.path().substring(1) + ": " + o.access())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> server = both.get(0).routes().stream()
                .map(r -> r.method() + " " + r.path() + ": " + r.access().text())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(server).isEqualTo(file);
    }

    @Test
    void every_operation_of_the_file_is_called_here() {
        assertThat(CALLS.stream().map(Call::operation).collect(Collectors.toSet()))
                .isEqualTo(FILE.operations().stream().map(Operation::id).collect(Collectors.toSet()));
    }

    @TestFactory
    Stream<DynamicTest> every_answer_conforms_to_the_file() {
        Stream<DynamicTest> calls = CALLS.stream()
                .map(call -> DynamicTest.dynamicTest(
                        call.operation + " " + call.path + " " + call.status,
                        () -> conforms(call, send(operation(call.operation), call))));
        Call gone = call("spec", "clusters/rides", 404);
        return Stream.concat(
                calls, Stream.of(DynamicTest.dynamicTest("spec of a deleted cluster", () -> isGone(gone))));
    }

    /** The other datacenter answers for the cluster until it has heard of the deletion. */
    private void isGone(Call call) throws Exception {
        HttpResponse<String> response = send(operation(call.operation), call);
        for (int tries = 0; response.statusCode() != call.status && tries < 300; tries++) {
            Thread.sleep(100);
            response = send(operation(call.operation), call);
        }
        conforms(call, response);
    }

    private static void conforms(Call call, HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(call.status);
        String type = response.headers().firstValue("Content-Type").orElse("");
        assertThat(FILE.differences(operation(call.operation), call.status, type, response.body()))
                .as(response.body())
                .isEmpty();
    }

    @Test
    void events_conform_to_the_file() throws Exception {
        try (var events = both.get(0).client().follow("long-ago")) {
            var event =
                    Eventually.becomes(() -> next(events), e -> e.isPresent()).orElseThrow();
            assertThat(FILE.violations(FILE.schema("Event"), Json.text(event))).isEmpty();
        }
    }

    @Test
    void events_of_a_step_name_it_and_its_status() {
        var ofPlan = both.get(0).client().recentEvents(1000).items().stream()
                .filter(e -> e.subject().equals("dc1-1"))
                .toList();
        assertThat(ofPlan).isNotEmpty().allSatisfy(e -> {
            assertThat(e.cluster()).isEqualTo(RIDES);
            assertThat(e.datacenter()).isEqualTo(new DatacenterName("dc1"));
            assertThat(e.status()).isNotNull();
        });
        assertThat(ofPlan).anySatisfy(e -> {
            assertThat(e.step()).isEqualTo("dc1 node-0");
            assertThat(e.status()).isEqualTo("DONE");
        });
    }

    @Test
    void every_example_conforms_to_its_schema() {
        List<JsonNode> examples = FILE.examples();
        assertThat(examples).hasSizeGreaterThan(8).allSatisfy(e -> assertThat(
                        FILE.violations(e.get("schema"), Json.text(e.get("example"))))
                .isEmpty());
    }

    @TestFactory
    Stream<DynamicTest> every_enum_of_the_file_has_the_values_of_the_server() {
        return FILE.enums().entrySet().stream()
                .filter(e -> !PARAMETER_KIND.equals(e.getKey()))
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> assertThat(e.getValue())
                        .isEqualTo(Arrays.stream(Objects.requireNonNull(ENUMS.get(e.getKey()), "no such enum in Java")
                                        .getEnumConstants())
                                .map(Enum::name)
                                .collect(Collectors.toSet()))));
    }

    @Test
    void every_enum_that_is_compared_is_in_the_file() {
        assertThat(FILE.enums().keySet()).containsAll(ENUMS.keySet());
    }

    @Test
    void a_field_that_is_not_in_the_file_is_a_difference() {
        Operation health = operation("health");
        String body = Json.text(both.get(0).client().health());
        assertThat(FILE.differences(health, 200, "application/json", body)).isEmpty();
        assertThat(FILE.differences(health, 200, "application/json", body.replaceFirst("\\{", "{\"added\":1,")))
                .hasSize(1);
        assertThat(FILE.differences(health, 200, "application/json", body.replace("\"LEADING\"", "\"RULING\"")))
                .hasSize(1);
        assertThat(FILE.differences(health, 200, "text/html", body)).hasSize(1);
    }

    /** The page's tests use the file; {@code -Daccept=true} overwrites it. */
    @Test
    void the_sample_of_the_catalogue_is_what_servers_answer() throws Exception {
        Path sample = Path.of("../../api/samples/operations.json");
        String catalogue = send(operation("operations"), call("operations", "operations", 200))
                .body();
        if (Boolean.getBoolean("accept")) {
            Files.writeString(sample, Json.parse(catalogue, JsonNode.class).toPrettyString() + "\n");
        }
        assertThat(Json.parse(Files.readString(sample), JsonNode.class))
                .isEqualTo(Json.parse(catalogue, JsonNode.class));
    }

    private static Optional<Event> next(EventFollower events) {
        try {
            return events.next(Duration.ofMillis(500));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> send(Operation operation, Call call) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(both.get(0).url() + "/api/v1/" + call.path))
                .header("Authorization", "Bearer " + TestDatacenter.TOKEN)
                .timeout(Duration.ofSeconds(30))
                .method(
                        operation.method(),
                        BodyPublishers.ofString(call.body.replace("/FOLDER", directory.toString())));
        if (call.ifPlan != null) {
            request.header("If-Plan", call.ifPlan);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static Operation operation(String id) {
        return FILE.operations().stream()
                .filter(o -> o.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Call call(String operation, String path, int status) {
        return call(operation, path, "", status);
    }

    private static Call call(String operation, String path, String body, int status) {
        return new Call(operation, path, body, null, status);
    }

    private static PlanLoad load(long failed) {
        var period = new PlanLoad.Period(6, 1200, failed, 1.5, 4.0, 9.0, 12.0, failed == 0 ? null : "unavailable");
        var part = new PlanLoad.Part(new DatacenterName("dc1"), period, period, period);
        return new PlanLoad("a light load", Instant.EPOCH, List.of(part));
    }

    private static DatacenterReport report() {
        return new DatacenterReport(
                new DatacenterName("dc3"), List.of("http://127.0.0.1:1"), 1, Instant.EPOCH, List.of());
    }
}
