package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.Scope;
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
}
