package io.ringmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.Scope;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStreamTest {
    private static final ClusterName RIDES = new ClusterName("rides");

    @TempDir
    Path directory;

    @Test
    void a_deploy_is_followed_live_and_a_reconnected_follower_misses_nothing() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            String tail = datacenter.client().health().tail();
            datacenter.client().apply(RIDES, Specs.of("rides", "dc1: {nodes: 1, seeds: 1}"), 0L, ChangeOptions.APPLY);
            List<Event> first;
            try (EventFollower events = datacenter.client().follow(tail)) {
                first = Followed.until(events, e -> e.type() == Event.Type.PLAN);
            }
            assertThat(first)
                    .extracting(Event::type)
                    .contains(Event.Type.CLUSTER)
                    .doesNotContain(Event.Type.RESET);
            Eventually.becomes(
                    () -> datacenter.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
            String last = first.get(first.size() - 1).id();
            List<Event> rest;
            try (EventFollower events = datacenter.client().follow(last)) {
                rest = Followed.until(
                        events, e -> e.type() == Event.Type.NODE && e.text().startsWith("NORMAL"));
            }
            try (EventFollower events = datacenter.client().follow(tail)) {
                var all = Followed.until(
                        events, e -> e.id().equals(rest.get(rest.size() - 1).id()));
                var pieces = new ArrayList<>(first);
                pieces.addAll(rest);
                assertThat(all).isEqualTo(pieces);
            }
            assertThat(rest).filteredOn(e -> e.type() == Event.Type.NODE).allSatisfy(e -> assertThat(e.cluster())
                    .isEqualTo(RIDES));
        }
    }

    @Test
    void after_a_restart_of_the_server_a_follower_receives_a_reset() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            String tail = datacenter.client().health().tail();
            try (EventFollower events = datacenter.client().follow(tail)) {
                assertThat(events.next(Duration.ofMillis(300))).isEmpty();
                datacenter.stopServer();
                datacenter.startServer();
                datacenter.awaitLeader();
                assertThat(Followed.until(events, e -> true))
                        .extracting(Event::type)
                        .containsExactly(Event.Type.RESET);
            }
        }
    }

    @Test
    void a_browser_that_accepts_packed_answers_receives_each_event_at_once() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            var request = HttpRequest.newBuilder(datacenter.url().resolve("/api/v1/events"))
                    .header("Accept", "text/event-stream")
                    .header("Accept-Encoding", "gzip")
                    .timeout(TestDatacenter.PATIENCE)
                    .build();
            var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
            assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
                // the stream goes on, so a line that waited in a buffer would never come
                assertThat(lines.readLine()).isEqualTo(": follows");
                datacenter
                        .client()
                        .apply(RIDES, Specs.of("rides", "dc1: {nodes: 1, seeds: 1}"), 0L, ChangeOptions.APPLY);
                String line = lines.readLine();
                while (!line.startsWith("data: ")) {
                    line = lines.readLine();
                }
                assertThat(line).contains("\"type\"");
            }
        }
    }
}
