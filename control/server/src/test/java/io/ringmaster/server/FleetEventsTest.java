package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.RecentEvents;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of two datacenters in one stream. */
class FleetEventsTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");

    @TempDir
    Path directory;

    private TestDatacenter one;
    private TestDatacenter two;

    @BeforeEach
    void start() throws IOException {
        List<TestDatacenter> both = TestDatacenter.two(directory);
        one = both.get(0);
        two = both.get(1);
        Eventually.is(() -> follows(one.client(), DC2) && follows(two.client(), DC1));
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    /** Each position of a stream that is followed starts with a RESET. */
    private static boolean follows(RingmasterClient client, DatacenterName datacenter) {
        return client.recentEvents(4096).items().stream()
                .anyMatch(e -> e.type() == Event.Type.RESET && datacenter.equals(e.datacenter()));
    }

    private static String newest(RingmasterClient client) {
        List<Event> all = client.recentEvents(1).items();
        return all.get(0).id();
    }

    private void deploy() {
        String spec = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}", "dc2: {nodes: 1, seeds: 1}");
        one.client().apply(RIDES, spec, 0L, ChangeOptions.APPLY);
    }

    /** The events of this server, which answers a request that was already forwarded. */
    private static List<Event> ownRecent(URI server) {
        var request = HttpRequest.newBuilder(server.resolve("/api/v1/events/recent?limit=4096"))
                .header("Ringmaster-Forwarded", "1")
                .build();
        try {
            String body = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            return Json.parse(body, RecentEvents.class).items();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Event last(List<Event> events) {
        return events.get(events.size() - 1);
    }

    private static boolean isNormal(Event e, String node) {
        return e.type() == Event.Type.NODE
                && e.subject().equals(node)
                && e.text().startsWith("NORMAL");
    }

    @Test
    void events_of_the_other_datacenter_arrive_and_a_reconnected_follower_misses_and_doubles_nothing()
            throws Exception {
        String before = newest(one.client());
        deploy();
        var pieces = new ArrayList<Event>();
        try (EventFollower events = one.client().followFleet(before)) {
            pieces.addAll(Followed.until(events, e -> DC2.equals(e.datacenter()) && e.type() == Event.Type.PLAN));
        }
        Eventually.becomes(() -> one.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        try (EventFollower events = one.client().followFleet(last(pieces).id())) {
            pieces.addAll(Followed.until(events, e -> isNormal(e, "rides/dc2/node-0")));
        }
        String end = last(pieces).id();
        try (EventFollower events = one.client().followFleet(before)) {
            assertThat(Followed.until(events, e -> e.id().equals(end))).isEqualTo(pieces);
        }
        assertThat(pieces).extracting(Event::id).doesNotHaveDuplicates();
        assertThat(pieces).extracting(Event::type).doesNotContain(Event.Type.RESET);
        assertThat(pieces).allSatisfy(e -> assertThat(e.datacenter()).isIn(DC1, DC2));
        List<String> own = two.client().recentEvents(4096).items().stream()
                .filter(e -> DC2.equals(e.datacenter()) && e.type() == Event.Type.PLAN)
                .map(Event::text)
                .toList();
        assertThat(one.client().recentEvents(4096).items())
                .filteredOn(e -> DC2.equals(e.datacenter()) && e.type() == Event.Type.PLAN)
                .extracting(Event::text)
                .isEqualTo(own);
    }

    @Test
    void a_datacenter_whose_server_stops_is_an_event_and_a_reset_follows_when_it_is_back() throws Exception {
        try (EventFollower events = one.client().followFleet(newest(one.client()))) {
            two.stopServer();
            Event interrupted =
                    last(Followed.until(events, e -> e.type() == Event.Type.PEER && DC2.equals(e.datacenter())));
            assertThat(interrupted.text()).startsWith("its events are interrupted: 127.0.0.1:");
            two.startServer();
            two.awaitLeader();
            var back = Followed.until(events, e -> e.type() == Event.Type.RESET);
            assertThat(last(back).datacenter()).isEqualTo(DC2);
            assertThat(back)
                    .filteredOn(e -> e.type() == Event.Type.PEER && DC2.equals(e.datacenter()))
                    .extracting(Event::text)
                    .contains("its events continue");
            deploy();
            Followed.until(events, e -> isNormal(e, "rides/dc2/node-0"));
        }
    }

    @Test
    void a_standby_passes_on_the_stream_of_its_leader_and_continues_it_when_it_leads() throws Exception {
        URI second = one.startAnotherServer();
        var standby = TestDatacenter.client(second, TestDatacenter.TOKEN);
        Eventually.becomes(standby::health, h -> h.state() == Health.State.STANDBY);
        try (EventFollower events = standby.followFleet(null)) {
            Eventually.is(() ->
                    ownRecent(second).stream().anyMatch(e -> e.type() == Event.Type.RESET && e.datacenter() == null));
            deploy();
            var before = Followed.until(events, e -> isNormal(e, "rides/dc2/node-0"));
            assertThat(before).anySatisfy(e -> assertThat(e.datacenter()).isEqualTo(DC1));

            one.stopServer();
            var after = Followed.until(events, e -> e.type() == Event.Type.RESET && DC1.equals(e.datacenter()));
            assertThat(after).anySatisfy(e -> {
                assertThat(e.type()).isEqualTo(Event.Type.PEER);
                assertThat(e.datacenter()).isEqualTo(DC1);
            });
            Followed.until(events, e -> e.type() == Event.Type.RESET && DC2.equals(e.datacenter()));
            two.client()
                    .apply(
                            new ClusterName("solo"),
                            Specs.of("solo", "dc2: {nodes: 1, seeds: 1}"),
                            0L,
                            ChangeOptions.APPLY);
            Followed.until(events, e -> isNormal(e, "solo/dc2/node-0"));
        }
    }

    @Test
    void no_thread_outlives_its_server() {
        assertThat(followers()).isNotEmpty();
        one.stopServer();
        two.stopServer();
        Eventually.is(() -> followers().isEmpty());
    }

    private static List<String> followers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.equals("fleet-events") || name.startsWith("events-of-"))
                .toList();
    }
}
