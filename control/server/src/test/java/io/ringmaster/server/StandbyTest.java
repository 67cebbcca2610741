package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers of one datacenter on one ZooKeeper. */
class StandbyTest {
    private static final ClusterName RIDES = new ClusterName("rides");

    @TempDir
    Path directory;

    @Test
    void a_standby_forwards_changes_answers_reads_and_takes_over() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            URI second = datacenter.startAnotherServer();
            var standby = TestDatacenter.client(second, TestDatacenter.TOKEN);
            Health health = Eventually.becomes(standby::health, h -> h.state() == Health.State.STANDBY);
            assertThat(health.leaderUrl()).isEqualTo(datacenter.url().toString());

            var answer = standby.apply(RIDES, Specs.of("rides", "dc1: {nodes: 3, seeds: 2}"), 0L, ChangeOptions.APPLY);
            assertThat(answer.specVersion()).isEqualTo(1);
            Eventually.becomes(() -> standby.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
            assertThat(datacenter.client().spec(RIDES)).isEqualTo(standby.spec(RIDES));
            assertThat(redirect(second)).isEqualTo(datacenter.url() + "/api/v1/events");

            var other = ChangeOptions.DRY_RUN.ifPlan(new PlanDigest("0123456789abcdef0123456789abcdef"));
            var refused = catchThrowableOfType(RefusedException.class, () -> standby.delete(RIDES, false, null, other));
            assertThat(refused.problem().code()).isEqualTo(ErrorCode.PLAN_CHANGED);

            datacenter.stopServer();
            Eventually.becomes(standby::health, h -> h.state() == Health.State.LEADING && h.poolSeen());
            var status = Eventually.becomes(
                    () -> standby.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
            assertThat(status.specVersion()).isEqualTo(1);
            assertThat(status.normal()).isEqualTo(3);
        }
    }

    @Test
    void a_standby_whose_leader_does_not_answer_still_answers_seeds_itself() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            datacenter.client().apply(RIDES, Specs.of("rides", "dc1: {nodes: 1, seeds: 1}"), 0L, ChangeOptions.APPLY);
            Eventually.becomes(
                    () -> datacenter.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
            var standby = TestDatacenter.client(datacenter.startAnotherServer(), null);
            Eventually.becomes(standby::health, h -> h.state() == Health.State.STANDBY);
            // a request that was already forwarded is not forwarded again
            var request = HttpRequest.newBuilder(standby.server().resolve("/api/v1/seeds?node=rides/dc1/node-0"))
                    .header("Ringmaster-Forwarded", "1")
                    .build();
            var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{\"isSeed\":true,\"seeds\":[]}");
        }
    }

    @Test
    void health_is_answered_at_once_while_the_store_is_away() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory, false)) {
            var ask = new TokenAsk("probe", Role.VIEWER, ClusterPattern.ALL, 3600);
            String token = datacenter.client().createToken(ask, false).token();
            datacenter.stopZooKeeper();
            Eventually.is(() -> datacenter.client().health().state() != Health.State.LEADING);
            var probe = TestDatacenter.client(datacenter.url(), token);
            // others wait for the store, which is away
            var waiting = CompletableFuture.supplyAsync(() -> catchThrowable(probe::clusters));
            for (int i = 0; i < 10; i++) {
                long start = System.nanoTime();
                assertThat(probe.health().state()).isNotEqualTo(Health.State.LEADING);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
                Thread.sleep(300);
            }
            assertThat(waiting.get()).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void what_is_known_of_a_store_that_has_stopped_is_answered_in_place_of_a_wait() throws Exception {
        var reason = Problem.of(ErrorCode.STORE_UNAVAILABLE, "no room at /state", "make room there");
        try (var datacenter = TestDatacenter.alone(directory)) {
            var client = datacenter.client();
            var spec = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}");
            datacenter.storeTrouble(reason);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    client::health, () -> client.apply(RIDES, spec, 0L, ChangeOptions.APPLY))) {
                var refused = catchThrowableOfType(RefusedException.class, call);
                assertThat(refused.problem()).isEqualTo(reason);
            }
            var health = HttpRequest.newBuilder(datacenter.url().resolve("/api/v1/health"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(health, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(503);
            datacenter.storeTrouble(null);
            assertThat(client.health().state()).isEqualTo(Health.State.LEADING);
            client.apply(RIDES, spec, 0L, ChangeOptions.APPLY);
        }
    }

    private static String redirect(URI server) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.resolve("/api/v1/events"))
                .header("Accept", "text/event-stream")
                .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
        assertThat(response.statusCode()).isEqualTo(307);
        return response.headers().firstValue("Location").orElseThrow();
    }
}
