package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.json.Json;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.wire.api.AuditEntry;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.api.LoginAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import io.ringmaster.wire.client.UnreachableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the holders of API tokens see and may do. */
class TokenTest {
    private static final ClusterName TEAM = new ClusterName("team-a");
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final ChangeOptions FORCED = new ChangeOptions(false, false, false, true);

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;

    @BeforeAll
    static void start() throws IOException {
        datacenter = TestDatacenter.alone(directory, false);
        for (ClusterName cluster : List.of(TEAM, RIDES)) {
            datacenter.client().apply(cluster, spec(cluster), 0L, ChangeOptions.APPLY);
            Eventually.becomes(
                    () -> datacenter.client().status(cluster, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        }
    }

    @AfterAll
    static void stop() {
        datacenter.close();
    }

    private static String spec(ClusterName cluster) {
        return Specs.of(cluster.value(), "dc1: {nodes: 1, seeds: 1}");
    }

    private static TokenAnswer create(String name, Role role, String clusters) {
        return datacenter.client().createToken(new TokenAsk(name, role, new ClusterPattern(clusters), 3600), false);
    }

    private static RingmasterClient client(TokenAnswer token) {
        return TestDatacenter.client(datacenter.url(), token.token());
    }

    private static RefusedException refused(ThrowingCallable call) {
        return Objects.requireNonNull(catchThrowableOfType(RefusedException.class, call), "it was not refused");
    }

    private static Answer send(String method, String path, String body, String... headers) throws IOException {
        return RawHttp.send(datacenter.url().getPort(), method, "/api/v1/" + path, body, headers);
    }

    @Test
    void a_viewer_of_one_team_sees_the_clusters_of_that_team_alone() {
        RingmasterClient viewer = client(create("viewer", Role.VIEWER, "team-*"));
        assertThat(viewer.clusters().items()).extracting("cluster").containsExactly(TEAM);
        assertThat(viewer.plans(null).items()).isNotEmpty().allMatch(p -> p.cluster()
                .equals(TEAM));
        assertThat(viewer.recentEvents(1000).items())
                .isNotEmpty()
                .allMatch(e -> e.cluster() == null
                        ? e.type() != Event.Type.AUDIT
                        : e.cluster().equals(TEAM));
        assertThat(datacenter.client().clusters().items()).hasSize(2);
        PlanId ofRides = datacenter.client().plans(RIDES).items().get(0).id();
        assertThat(refused(() -> viewer.plan(ofRides)).problem().code()).isEqualTo(ErrorCode.PLAN_UNKNOWN);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_stream_carries_only_what_its_reader_may_see_and_ends_with_its_token() throws Exception {
        TokenAnswer token = create("follower", Role.VIEWER, "team-*");
        try (EventFollower events = client(token).follow(null)) {
            Eventually.is(() -> next(events).isEmpty() && events.follows());
            flush(datacenter.client(), RIDES);
            flush(datacenter.client(), TEAM);
            Event seen =
                    Eventually.becomes(() -> next(events), Optional::isPresent).orElseThrow();
            assertThat(seen.cluster()).isEqualTo(TEAM);
            datacenter.client().revokeToken(token.info().id(), false);
            Eventually.is(() -> hasEnded(events));
        }
        assertThat(refused(client(token)::clusters).status()).isEqualTo(401);
    }

    private static boolean hasEnded(EventFollower events) {
        try {
            next(events);
            return false;
        } catch (UnreachableException | RefusedException e) {
            return true;
        }
    }

    private static void flush(RingmasterClient client, ClusterName cluster) {
        client.operate(cluster, "flush", new OperationAsk(Map.of(), ""), ChangeOptions.APPLY);
    }

    private static Optional<Event> next(EventFollower events) {
        try {
            return events.next(Duration.ofMillis(300));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void destroying_and_forcing_need_an_admin() throws InterruptedException {
        Thread.sleep(1000); // of the refusals of one address, one a second is kept
        RingmasterClient operator = client(create("operator", Role.OPERATOR, "team-*"));
        RefusedException destroying = refused(() -> operator.delete(TEAM, true, null, ChangeOptions.DRY_RUN));
        Eventually.is(() -> datacenter.client().audit(100).items().stream()
                .anyMatch(e -> e.outcome().startsWith("refused: destroying data needs the role admin")));
        assertThat(destroying.status()).isEqualTo(403);
        assertThat(destroying.problem().line())
                .contains("destroying data needs the role admin", "operator is operator of clusters 'team-*'")
                .contains("token create NAME --role admin --clusters 'team-*'");
        assertThat(refused(() -> operator.apply(TEAM, spec(TEAM), null, FORCED)).status())
                .isEqualTo(403);
        PlanId plan = datacenter.client().plans(TEAM).items().get(0).id();
        assertThat(refused(() -> operator.ask(plan, PlanVerb.FORCE_COMPLETE, "x"))
                        .status())
                .isEqualTo(403);
        var backups = new OperationAsk(Map.of("from", "nowhere", "backups", "20261124T040000Z-3f9c"), "");
        assertThat(refused(() -> operator.operate(TEAM, "backup-delete", backups, ChangeOptions.DRY_RUN))
                        .problem()
                        .message())
                .startsWith("deleting backups needs the role admin");
        var roles = new OperationAsk(Map.of(), "");
        assertThat(refused(() -> operator.operate(TEAM, "write-roles", roles, ChangeOptions.DRY_RUN))
                        .problem()
                        .message())
                .startsWith("writing roles again needs the role admin for cluster " + TEAM);
        assertThat(operator.delete(TEAM, false, null, ChangeOptions.DRY_RUN).dryRun())
                .isTrue();
        RingmasterClient admin = client(create("admin", Role.ADMIN, "team-*"));
        assertThat(admin.delete(TEAM, true, null, ChangeOptions.DRY_RUN).dryRun())
                .isTrue();
        assertThat(refused(() -> admin.operate(TEAM, "backup-delete", backups, ChangeOptions.DRY_RUN))
                        .problem()
                        .code())
                .isNotEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refused(() -> admin.operate(TEAM, "write-roles", roles, ChangeOptions.DRY_RUN))
                        .problem()
                        .code())
                .isNotEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void evacuating_a_machine_of_the_fleet_needs_an_operator_of_all_clusters() {
        var ask = new OperationAsk(Map.of("machine", "dc1/machine-1"), "");
        RingmasterClient team = client(create("operator", Role.OPERATOR, "team-*"));
        RefusedException refused = refused(() -> team.operate(TEAM, "evacuate", ask, ChangeOptions.DRY_RUN));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem().line())
                .contains("evacuate cordons a machine of the fleet and needs the role operator for all clusters")
                .contains("token create NAME --role operator --clusters '*'");
        RingmasterClient all = client(create("operator", Role.OPERATOR, "*"));
        assertThat(refused(() -> all.operate(TEAM, "evacuate", ask, ChangeOptions.DRY_RUN))
                        .problem()
                        .code())
                .isIn(ErrorCode.OPERATION_UNSAFE, ErrorCode.NODE_UNKNOWN);
    }

    @Test
    void a_team_cannot_read_the_backup_of_another_through_a_new_cluster() {
        RingmasterClient operator = client(create("operator", Role.OPERATOR, "team-*"));
        String restore = spec(new ClusterName("team-b"))
                + "restore: {from: nowhere, cluster: rides, incarnation: dc1-1, backup: 20261124T040000Z-3f9c}\n";
        RefusedException foreign =
                refused(() -> operator.apply(new ClusterName("team-b"), restore, null, ChangeOptions.APPLY));
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(foreign.problem().message()).contains("role operator for cluster rides");
    }

    @Test
    void the_audit_names_token_role_and_address_and_has_refused_changes_too() throws InterruptedException {
        Thread.sleep(1000); // of the refusals of one address, one a second is kept
        TokenAnswer token = create("ci", Role.OPERATOR, "team-*");
        RingmasterClient ci = client(token);
        flush(ci, TEAM);
        refused(() -> ci.apply(RIDES, spec(RIDES), null, ChangeOptions.APPLY));
        List<AuditEntry> ofCi = Eventually.becomes(
                () -> datacenter.client().audit(100).items().stream()
                        .filter(e -> e.who().equals("ci"))
                        .toList(),
                entries -> entries.size() == 2);
        assertThat(ofCi).allSatisfy(entry -> {
            var origin = Objects.requireNonNull(entry.origin());
            assertThat(origin.credential()).isEqualTo(token.info().id().value());
            assertThat(origin.role()).isEqualTo(Role.OPERATOR);
            assertThat(origin.address()).isEqualTo("127.0.0.1");
        });
        assertThat(ofCi.get(0).what()).isEqualTo("PUT /api/v1/clusters/rides");
        assertThat(ofCi.get(0).outcome()).startsWith("refused: this needs the role operator for cluster rides");
        assertThat(Objects.requireNonNull(ofCi.get(0).origin()).refused()).isEqualTo(403);
        assertThat(Objects.requireNonNull(ofCi.get(1).origin()).refused()).isNull();
    }

    @Test
    void a_session_has_the_rights_of_its_token_and_ends_with_it() throws IOException {
        TokenAnswer token = create("reader", Role.VIEWER, "team-*");
        Answer login = send("POST", "session", "{\"token\":\"" + token.token() + "\",\"who\":\"root\"}");
        var session = Json.parse(login.text(), LoginAnswer.class);
        assertThat(session.who()).isEqualTo("reader");
        String cookie = login.header("Set-Cookie");
        String[] halves = {"Cookie: " + cookie.substring(0, cookie.indexOf(';')), "Ringmaster-Session: " + session.key()
        };
        assertThat(send("GET", "clusters/team-a", "", halves).status()).isEqualTo(200);
        assertThat(send("GET", "clusters/rides", "", halves).status()).isEqualTo(403);
        assertThat(send("DELETE", "clusters/team-a", "", halves).status()).isEqualTo(403);
        datacenter.client().revokeToken(token.info().id(), false);
        assertThat(send("GET", "clusters/team-a", "", halves).status()).isEqualTo(401);
    }

    @Test
    void a_token_cannot_name_other_rights_than_its_own() throws IOException {
        TokenAnswer token = create("reader", Role.VIEWER, "team-*");
        Answer answer = send(
                "DELETE",
                "clusters/team-a",
                "",
                "Authorization: Bearer " + token.token(),
                "Ringmaster-Principal: admin * local-admin 127.0.0.1");
        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void a_token_that_has_ended_is_refused_as_such_under_any_name_of_the_server() throws IOException {
        TokenAnswer token = create("ended", Role.VIEWER, "*");
        String[] headers = {"Host: ringmaster.example", "Authorization: Bearer " + token.token()};
        assertThat(send("GET", "clusters", "", headers).status()).isEqualTo(200);
        datacenter.client().revokeToken(token.info().id(), false);
        Answer ended = send("GET", "clusters", "", headers);
        assertThat(ended.status()).isEqualTo(401);
        assertThat(ended.text()).contains("(ended) was revoked at", "token create");
        String wrong = "Authorization: Bearer rm_" + token.info().id() + "_" + "0".repeat(64);
        assertThat(send("GET", "clusters", "", headers[0], wrong).status()).isEqualTo(421);
    }

    @Test
    void a_forwarded_request_ends_with_the_token_of_its_caller() {
        TokenAnswer token = create("forwarded", Role.OPERATOR, "team-*");
        String id = token.info().id().value();
        // a flush that another test has asked for may still be at work
        Eventually.is(() -> forwarded(id).status() == 200);
        assertThat(forwarded("dc2-unheard1").status()).isEqualTo(200);
        datacenter.client().revokeToken(token.info().id(), false);
        Answer refused = forwarded(id);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).contains("the API token " + id + " (forwarded) was revoked at");
    }

    /** As the server of another datacenter forwards a change. */
    private static Answer forwarded(String credential) {
        try {
            return send(
                    "POST",
                    "clusters/team-a/operations/flush?dryRun=true",
                    "",
                    "Authorization: Bearer " + TestDatacenter.TOKEN,
                    "Ringmaster-User: forwarded",
                    "Ringmaster-Principal: operator team-* " + credential + " 127.0.0.1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void more_than_ten_wrong_tokens_a_second_are_too_many_and_a_right_one_still_passes() throws Exception {
        int status = 0;
        for (int i = 0; i < 200 && status != 429; i++) {
            status = send("GET", "clusters", "", "Authorization: Bearer wrong").status();
        }
        assertThat(status).isEqualTo(429);
        assertThat(datacenter.client().clusters().items()).isNotEmpty();
        Thread.sleep(1000); // wrong tokens of other tests have their usual answer again
    }

    @Test
    void a_token_cannot_have_the_name_of_a_policy() {
        RefusedException refused = refused(() -> create("schedule", Role.OPERATOR, "team-*"));
        assertThat(refused.problem().line()).contains("name", "none of api, automatic, schedule, unknown, local-admin");
    }

    @Test
    void a_dry_run_creates_and_revokes_nothing() {
        RingmasterClient admin = datacenter.client();
        TokenAnswer dry = admin.createToken(new TokenAsk("dry", Role.VIEWER, ClusterPattern.ALL, 60), true);
        assertThat(dry.token()).isNull();
        assertThat(admin.tokens()).noneMatch(t -> t.name().equals("dry"));
        TokenAnswer token = create("kept", Role.VIEWER, "*");
        assertThat(admin.revokeToken(token.info().id(), true).revoked()).isNotNull();
        assertThat(client(token).clusters(Scope.LOCAL).items()).isNotEmpty();
    }
}
