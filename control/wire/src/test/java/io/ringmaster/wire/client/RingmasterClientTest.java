package io.ringmaster.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.FakeServer;
import io.ringmaster.wire.FakeServer.Reply;
import io.ringmaster.wire.api.ProblemDetails;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RingmasterClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final ChangeOptions APPLY = new ChangeOptions(false, false, false, false);

    @Test
    void a_refusal_carries_every_problem_with_code_field_and_next_step() {
        var problems = List.of(
                new Problem(ErrorCode.SPEC_INVALID, "node.heap", "'9GiB' is above node.memory", "lower it"),
                Problem.field(ErrorCode.SPEC_INVALID, "nmae", "is not a field of a spec"));
        String body = Json.text(ProblemDetails.of(422, "/api/v1/clusters/rides", problems));
        try (var server = new FakeServer(asked -> new Reply(422, ProblemDetails.MEDIA_TYPE, body))) {
            var client = new RingmasterClient(server.url(), "secret", PATIENCE);
            var refused = catchThrowableOfType(
                    RefusedException.class, () -> client.apply(RIDES, "name: rides", 3L, ChangeOptions.DRY_RUN));
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.problems()).isEqualTo(problems);
            assertThat(refused).hasMessage("node.heap: '9GiB' is above node.memory -> lower it");
            assertThat(server.asked()).singleElement().satisfies(asked -> {
                assertThat(asked.method()).isEqualTo("PUT");
                assertThat(asked.uri()).startsWith("/api/v1/clusters/rides?dryRun=true");
                assertThat(asked.authorization()).isEqualTo("Bearer secret");
                assertThat(asked.body()).isEqualTo("name: rides");
            });
        }
    }

    @Test
    void a_failure_without_a_problem_document_names_the_server() {
        try (var server = new FakeServer(asked -> new Reply(502, "text/html", "<html>"))) {
            var client = new RingmasterClient(server.url(), null, PATIENCE);
            assertThatThrownBy(client::health)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("HTTP 502")
                    .hasMessageContaining(server.url().getAuthority());
        }
    }

    @Test
    void an_answer_of_another_form_counts_as_unreachable() {
        try (var server = new FakeServer(asked -> Reply.json("[1]"))) {
            var client = new RingmasterClient(server.url(), null, PATIENCE);
            assertThatThrownBy(client::health)
                    .isInstanceOf(UnreachableException.class)
                    .hasMessageContaining("does not answer as a Ringmaster server does");
        }
    }

    @Test
    void a_server_that_does_not_run_is_unreachable_with_its_address() {
        URI gone;
        try (var server = new FakeServer(asked -> Reply.json("{}"))) {
            gone = server.url();
        }
        assertThatThrownBy(new RingmasterClient(gone, null, PATIENCE)::clusters)
                .isInstanceOf(UnreachableException.class)
                .hasMessage(gone + ": connection refused");
    }

    @Test
    void a_change_says_whether_it_may_have_been_taken() {
        URI gone;
        try (var server = new FakeServer(asked -> {
            TimeUnit.SECONDS.sleep(30);
            return Reply.json("{}");
        })) {
            gone = server.url();
            var client = new RingmasterClient(server.url(), "secret", Duration.ofMillis(200));
            assertThat(catchThrowableOfType(
                            UnreachableException.class, () -> client.apply(RIDES, "name: rides", 3L, APPLY)))
                    .hasMessage(gone + ": no answer within 200 ms; the request may have been taken")
                    .matches(UnreachableException::mayBeTaken);
            assertThatThrownBy(() -> client.apply(RIDES, "name: rides", 3L, ChangeOptions.DRY_RUN))
                    .hasMessage(gone + ": no answer within 200 ms; nothing was changed");
        }
        var client = new RingmasterClient(gone, "secret", PATIENCE);
        assertThat(catchThrowableOfType(
                        UnreachableException.class, () -> client.apply(RIDES, "name: rides", 3L, APPLY)))
                .hasMessage(gone + ": connection refused; nothing was sent")
                .matches(e -> !e.mayBeTaken());
    }

    @Test
    void a_slow_first_connection_is_waited_for() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("https://127.0.0.1:" + silent.getLocalPort());
            var client = new RingmasterClient(url, "secret", Duration.ofSeconds(4));
            assertThatThrownBy(client::clusters)
                    .as("not after the 2 s of a connection")
                    .hasMessage(url + ": no answer within 4000 ms");
        }
    }

    @Test
    void clear_text_to_a_server_with_TLS_is_named() throws Exception {
        try (var tls = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("http://127.0.0.1:" + tls.getLocalPort());
            var answered = CompletableFuture.runAsync(() -> answerWithAlert(tls));
            assertThatThrownBy(new RingmasterClient(url, "secret", PATIENCE)::clusters)
                    .isInstanceOf(UnreachableException.class)
                    .hasMessageContaining(
                            "what answers there does not talk HTTP in clear text; use https if the server has TLS");
            answered.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** As TLS does to what is no TLS: a fatal alert, unexpected_message. */
    private static void answerWithAlert(ServerSocket tls) {
        try (var connection = tls.accept()) {
            int unused = connection.getInputStream().read(new byte[4096]);
            connection.getOutputStream().write(new byte[] {21, 3, 3, 0, 2, 2, 80});
            connection.getOutputStream().flush();
            connection.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_hanging_server_is_unreachable_after_the_time_limit() {
        try (var server = new FakeServer(asked -> {
            TimeUnit.SECONDS.sleep(30);
            return Reply.json("{}");
        })) {
            var client = new RingmasterClient(server.url(), null, Duration.ofMillis(200));
            assertThatThrownBy(client::clusters)
                    .isInstanceOf(UnreachableException.class)
                    .hasMessageContaining("no answer within 200 ms");
        }
    }

    @Test
    void step_names_are_encoded() {
        try (var server = new FakeServer(asked -> new Reply(500, "text/plain", ""))) {
            var client = new RingmasterClient(server.url(), "secret", PATIENCE);
            assertThatThrownBy(() -> client.ask(PlanId.of("dc1-7"), PlanVerb.FORCE_COMPLETE, "dc1 node-0&x=1"))
                    .isInstanceOf(RefusedException.class);
            assertThat(server.asked().get(0).uri())
                    .isEqualTo("/api/v1/plans/dc1-7/force-complete?step=dc1+node-0%26x%3D1");
        }
    }

    @Test
    void an_event_that_only_a_newer_server_knows_is_passed_over() throws Exception {
        String events =
                """
                : follows

                event: WEATHER
                id: a-1
                data: {"id":"a-1","at":"2026-01-02T03:04:05Z","type":"WEATHER","subject":"dc1","text":"rain"}

                event: NODE
                id: a-2
                data: {"id":"a-2","at":"2026-01-02T03:04:05Z","type":"NODE","subject":"rides/dc1/node-0","text":"NORMAL"}

                """;
        try (var server = new FakeServer(asked -> new Reply(200, "text/event-stream", events));
                EventFollower follower = new RingmasterClient(server.url(), null, PATIENCE).follow(null)) {
            assertThat(follower.next(PATIENCE))
                    .hasValueSatisfying(e -> assertThat(e.id()).isEqualTo("a-2"));
            assertThat(follower.last()).isEqualTo("a-2");
        }
    }
}
