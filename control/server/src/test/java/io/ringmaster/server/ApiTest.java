package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.ProblemDetails;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The HTTP API of one datacenter. Each test uses its own clusters. */
class ApiTest {
    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        datacenter = TestDatacenter.alone(directory);
    }

    @AfterAll
    static void stop() {
        datacenter.close();
    }

    private static RingmasterClient client() {
        return datacenter.client();
    }

    private static ClusterName cluster(String name) {
        return new ClusterName(name);
    }

    @Test
    void an_applied_spec_becomes_a_cluster_whose_status_fits_one_screen() {
        var rides = cluster("rides");
        var answer = client().apply(rides, Specs.of("rides", "dc1: {nodes: 3, seeds: 2}"), 0L, ChangeOptions.APPLY);
        assertThat(answer.specVersion()).isEqualTo(1);
        assertThat(answer.changed()).isTrue();
        assertThat(answer.plans()).singleElement().satisfies(p -> assertThat(p.operation())
                .isEqualTo("deploy"));

        ClusterStatus status =
                Eventually.becomes(() -> client().status(rides, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        assertThat(status.normal()).isEqualTo(3);
        assertThat(status.created()).isTrue();
        assertThat(status.schemaVersions()).hasSize(1);
        assertThat(status.contactPoints()).hasSize(3).allMatch(p -> p.startsWith("127."));
        assertThat(status.findings()).isEmpty();
        assertThat(status.plans()).singleElement().satisfies(p -> assertThat(p.status())
                .isEqualTo(PlanStatus.COMPLETE));
        List<NodeState> nodes = status.datacenters().get(0).nodes();
        assertThat(nodes).extracting(NodeState::rack).doesNotHaveDuplicates();
        assertThat(nodes).extracting(NodeState::seed).containsExactly(true, true, false);
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.mode()).isEqualTo(OperatingMode.NORMAL);
            assertThat(node.seesNormal()).isEqualTo(3);
            assertThat(node.appliedSpecVersion()).isEqualTo(1);
            assertThat(node.loadBytes()).isEqualTo(4096);
            assertThat(node.silence()).isNull();
        });
        assertThat(client().clusters().items())
                .filteredOn(c -> c.cluster().equals(rides))
                .singleElement()
                .satisfies(c -> assertThat(c.normal()).isEqualTo(3));
        assertThat(client().machines().items()).hasSize(3).allSatisfy(m -> assertThat(m.allocations())
                .isNotEmpty());
        assertThat(client().logs(NodeId.of("rides/dc1/node-0"), "gc", 7)).isEqualTo("INFO  file=gc&lines=7\n");
    }

    @Test
    void a_cordoned_machine_is_shown_as_cordoned_until_it_is_uncordoned() {
        var dc1 = new DatacenterName("dc1");
        var machine = client().machines().items().get(0).machine().name();
        assertThat(client().cordon(dc1, machine, "disk fails").machine().cordoned())
                .isTrue();
        assertThat(client().machines().items())
                .filteredOn(m -> m.machine().cordoned())
                .singleElement()
                .satisfies(m -> assertThat(m.machine().name()).isEqualTo(machine));
        assertThatThrownBy(() -> client().cordon(dc1, machine, "x".repeat(201)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        e -> assertThat(e.problems().get(0).field()).isEqualTo("reason"));
        assertThat(client().uncordon(dc1, machine).machine().cordoned()).isFalse();
    }

    @Test
    void a_dry_run_shows_the_plan_and_changes_nothing() {
        var dry = cluster("dry");
        var answer = client().apply(dry, Specs.of("dry", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.DRY_RUN);
        assertThat(answer.dryRun()).isTrue();
        assertThat(answer.plans()).hasSize(1);
        assertRefused(() -> client().spec(dry), 404, ErrorCode.CLUSTER_UNKNOWN);
        assertThat(client().plans(dry).items()).isEmpty();
    }

    @Test
    void every_invalid_field_of_a_spec_is_named() {
        String wrong = Specs.of("bad", "dc1: {nodes: 1, seeds: 3}").replace("heap: 256MiB", "heap: 2GiB") + "nmae: x\n";
        var refused = refused(() -> client().apply(cluster("bad"), wrong, null, ChangeOptions.APPLY));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problems())
                .allSatisfy(p -> assertThat(p.code()).isEqualTo(ErrorCode.SPEC_INVALID))
                .extracting(Problem::field)
                .contains("datacenters.dc1.seeds", "node.heap", "nmae");
        assertRefused(() -> client().spec(cluster("bad")), 404, ErrorCode.CLUSTER_UNKNOWN);
    }

    @Test
    void a_spec_must_name_the_cluster_of_the_url() {
        var refused = refused(() -> client().apply(
                        cluster("one"), Specs.of("other", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.APPLY));
        assertThat(refused.problem().field()).isEqualTo("cluster");
        assertThat(refused.problem().message()).contains("'other'").contains("'one'");
    }

    @Test
    void a_size_that_no_machine_can_hold_is_refused() {
        String big = Specs.of("big", "dc1: {nodes: 1, seeds: 1}").replace("memory: 1GiB", "memory: 64GiB");
        var refused = refused(() -> client().apply(cluster("big"), big, null, ChangeOptions.APPLY));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problem().field()).isEqualTo("node.memory");
    }

    @Test
    void a_change_based_on_an_old_version_is_refused_and_the_newest_accepted() {
        var name = cluster("versions");
        String spec = Specs.of("versions", "dc1: {nodes: 1, seeds: 1}");
        client().apply(name, spec, 0L, ChangeOptions.APPLY);
        assertThat(client().apply(name, spec, 1L, ChangeOptions.APPLY).changed())
                .isFalse();
        assertRefused(() -> client().apply(name, spec, 0L, ChangeOptions.APPLY), 412, ErrorCode.VERSION_CONFLICT);
        assertThat(refused(() -> client().apply(name, spec, 0L, ChangeOptions.APPLY))
                        .problem()
                        .toString())
                .contains("versions exists already, at version 1", "choose another name");
        assertRefused(() -> client().apply(name, spec, 7L, ChangeOptions.APPLY), 412, ErrorCode.VERSION_CONFLICT);
        assertRefused(() -> client().delete(name, false, 7L, ChangeOptions.DRY_RUN), 412, ErrorCode.VERSION_CONFLICT);
        String next = spec + "cassandra_yaml: {hinted_handoff_enabled: false}\n";
        assertThat(client().apply(name, next, 1L, ChangeOptions.APPLY).specVersion())
                .isEqualTo(2);
        assertThat(client().spec(name).source()).isEqualTo(next);
        assertThat(client().specs(name)).extracting(s -> s.version()).containsExactly(1L, 2L);
    }

    @Test
    void the_spec_carries_its_version_as_an_entity_tag() throws Exception {
        client().apply(cluster("tagged"), Specs.of("tagged", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.APPLY);
        var response = send(request("clusters/tagged").GET());
        assertThat(response.headers().firstValue("ETag")).contains("\"1\"");
    }

    @Test
    void changes_need_the_token() throws Exception {
        var bare = TestDatacenter.client(datacenter.url(), null);
        String spec = Specs.of("nobody", "dc1: {nodes: 1, seeds: 1}");
        for (var client : List.of(bare, TestDatacenter.client(datacenter.url(), TestDatacenter.TOKEN + "x"))) {
            assertRefused(
                    () -> client.apply(cluster("nobody"), spec, null, ChangeOptions.DRY_RUN),
                    401,
                    ErrorCode.UNAUTHORIZED);
            assertRefused(
                    () -> client.delete(cluster("nobody"), true, null, ChangeOptions.APPLY),
                    401,
                    ErrorCode.UNAUTHORIZED);
            assertRefused(() -> client.ask(PlanId.of("dc1-1"), PlanVerb.ABORT, null), 401, ErrorCode.UNAUTHORIZED);
            assertThat(client.health().datacenter()).isEqualTo(datacenter.name());
        }
        var response = send(request("peers/exchange").POST(BodyPublishers.ofString("{}")));
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(response.body()).doesNotContain(TestDatacenter.TOKEN);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, clusters/Bad_Name, 400, cluster",
        "GET, clusters/..%2Fetc/status, 400, cluster",
        "GET, plans/seven, 400, plan",
        "GET, clusters/x/status?local=maybe, 400, local",
        "GET, nodes/rides/dc1/node-x/logs, 400, node",
        "GET, nodes/rides/dc1/node-0/logs?file=/etc/passwd, 400, file",
        "GET, nodes/rides/dc1/node-0/logs?lines=0, 400, lines",
        "GET, seeds, 400, node",
        "GET, seeds?node=rides, 400, node",
        "POST, plans/dc1-1/explode, 400, verb",
        "GET, nowhere, 404, ",
        "PATCH, clusters/x, 404, ",
        "GET, plans/dc1-999, 404, ",
        "GET, plans/dc9-1, 422, ",
        "GET, seeds?node=rides/dc1/node-99, 404, ",
        "GET, events, 400, Accept",
    })
    void an_invalid_request_is_refused_with_the_name_of_the_parameter(
            String method, String path, int status, String field) throws Exception {
        var request = request(path)
                .header("Authorization", "Bearer " + TestDatacenter.TOKEN)
                .method(method, BodyPublishers.noBody());
        var response = send(request);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains(ProblemDetails.MEDIA_TYPE);
        var problem = Json.parse(response.body(), ProblemDetails.class);
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.detail()).isNotBlank();
    }

    @Test
    void a_spec_that_is_too_long_is_refused() {
        String spec = Specs.of("long", "dc1: {nodes: 1, seeds: 1}") + "#".repeat(300 * 1024);
        var refused = refused(() -> client().apply(cluster("long"), spec, null, ChangeOptions.DRY_RUN));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.problem().field()).isEqualTo("body");
    }

    @Test
    void if_match_must_be_a_version_in_quotes() throws Exception {
        var response = send(request("clusters/x")
                .header("Authorization", "Bearer " + TestDatacenter.TOKEN)
                .header("If-Match", "*")
                .PUT(BodyPublishers.ofString(Specs.of("x", "dc1: {nodes: 1, seeds: 1}"))));
        assertThat(Json.parse(response.body(), ProblemDetails.class).field()).isEqualTo("If-Match");
    }

    @Test
    void a_plan_can_be_paused_and_resumed_and_a_finished_one_cannot() {
        var name = cluster("steered");
        var plan = client().apply(name, Specs.of("steered", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.APPLY)
                .plans()
                .get(0)
                .id();
        Eventually.becomes(() -> client().plan(plan), p -> p.status() == PlanStatus.COMPLETE);
        assertRefused(() -> client().ask(plan, PlanVerb.PAUSE, null), 409, ErrorCode.PLAN_STATE);
        assertThat(client().plans(name).items()).extracting(p -> p.id()).containsExactly(plan);
    }

    @Test
    void a_dry_run_of_a_delete_shows_the_plan_and_the_delete_removes_the_cluster() {
        var name = cluster("gone");
        client().apply(name, Specs.of("gone", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.APPLY);
        Eventually.becomes(() -> client().status(name, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        var draft = client().delete(name, true, 1L, ChangeOptions.DRY_RUN);
        assertThat(draft.plans()).singleElement().satisfies(p -> assertThat(p.operation())
                .isEqualTo("delete"));
        assertThat(client().status(name, Scope.FLEET).condition()).isEqualTo(Condition.HEALTHY);
        client().delete(name, true, 1L, ChangeOptions.APPLY);
        Eventually.is(() ->
                client().clusters().items().stream().noneMatch(c -> c.cluster().equals(name)));
    }

    @Test
    void seeds_are_answered_without_a_token() throws Exception {
        var name = cluster("seeded");
        client().apply(name, Specs.of("seeded", "dc1: {nodes: 3, seeds: 2}"), null, ChangeOptions.APPLY);
        Eventually.becomes(() -> client().status(name, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        var answer = Json.mapper()
                .readTree(send(request("seeds?node=seeded/dc1/node-1").GET()).body());
        assertThat(answer.get("isSeed").booleanValue()).isTrue();
        assertThat(answer.get("seeds")).hasSize(1);
        assertThat(answer.get("seeds").get(0).textValue()).startsWith("127.");
    }

    @Test
    void metrics_are_prometheus_text_with_the_state_of_the_datacenter() {
        var name = cluster("measured");
        client().apply(name, Specs.of("measured", "dc1: {nodes: 1, seeds: 1}"), null, ChangeOptions.APPLY);
        Eventually.becomes(() -> client().status(name, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        String text = Eventually.becomes(
                () -> text("metrics"),
                t -> t.contains("ringmaster_nodes{cluster=\"measured\",mode=\"NORMAL\"} 1.0")
                        && t.contains("ringmaster_controller_delay_seconds_count"));
        assertThat(text)
                .contains("ringmaster_leads 1.0")
                .contains("ringmaster_machines 3.0")
                .contains("ringmaster_plans{status=\"COMPLETE\"}")
                .contains("route=\"/api/v1/clusters/{cluster}/status\"")
                .contains("jvm_memory_used_bytes");
    }

    private String text(String path) {
        try {
            return send(request(path).GET()).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(datacenter.url() + "/api/v1/" + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static RefusedException refused(ThrowingCallable call) {
        var refused = catchThrowableOfType(RefusedException.class, call);
        assertThat(refused).as("a refusal").isNotNull();
        return refused;
    }

    private static void assertRefused(ThrowingCallable call, int status, ErrorCode code) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RefusedException.class, e -> {
            assertThat(e.status()).isEqualTo(status);
            assertThat(e.problem().code()).isEqualTo(code);
        });
    }
}
