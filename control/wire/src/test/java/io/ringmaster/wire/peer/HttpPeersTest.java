package io.ringmaster.wire.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.RecordingFactSink;
import io.ringmaster.wire.FakeServer;
import io.ringmaster.wire.FakeServer.Reply;
import io.ringmaster.wire.client.PeerCredentials;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HttpPeersTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final DatacenterName DC3 = new DatacenterName("dc3");
    private static final HttpPeers.Timing QUICK =
            new HttpPeers.Timing(Duration.ofMillis(50), Duration.ofMillis(400), Duration.ofMillis(900));
    /** A busy computer is not silent. */
    private static final HttpPeers.Timing PATIENT =
            new HttpPeers.Timing(Duration.ofMillis(50), Duration.ofSeconds(30), Duration.ofSeconds(60));

    private static final HttpPeers.Timing SLOW =
            new HttpPeers.Timing(Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(3));

    private final RecordingFactSink facts = new RecordingFactSink();

    @Test
    void reports_are_exchanged_at_every_interval_with_the_token() {
        try (var server = new FakeServer(asked -> Reply.json(Json.text(report(DC2, 3))));
                var peers = peers(Map.of(DC2, List.of(server.url())), QUICK)) {
            peers.publish(report(DC1, 5));
            peers.start(facts);
            var reported = facts.await(Fact.PeerReported.class, f -> true, LIMIT);
            assertThat(reported.report()).isEqualTo(report(DC2, 3));
            var asked = server.asked().get(0);
            assertThat(asked.method() + " " + asked.uri()).isEqualTo("POST /api/v1/peers/exchange");
            assertThat(asked.authorization()).isEqualTo("Bearer secret");
            assertThat(Json.parse(asked.body(), DatacenterReport.class)).isEqualTo(report(DC1, 5));
        }
    }

    @Test
    void a_change_is_sent_at_once_and_the_same_report_again_is_not() throws InterruptedException {
        try (var server = new FakeServer(asked -> Reply.json(Json.text(report(DC2, 3))));
                var peers = peers(Map.of(DC2, List.of(server.url())), SLOW)) {
            peers.publish(report(DC1, 5));
            peers.start(facts);
            facts.await(Fact.PeerReported.class, f -> true, LIMIT);
            facts.clear();
            peers.publish(report(DC1, 6));
            facts.await(Fact.PeerReported.class, f -> true, LIMIT);
            int asked = server.asked().size();
            peers.publish(new DatacenterReport(DC1, List.of(), 6, Instant.EPOCH.plusSeconds(9), List.of()));
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(server.asked()).hasSize(asked);
        }
    }

    @Test
    void a_peer_that_is_down_is_silent_with_the_reason_and_is_reported_again_once_it_is_up() {
        int port;
        try (var free = new FakeServer(asked -> Reply.json("{}"))) {
            port = free.port();
        }
        try (var peers = peers(Map.of(DC2, List.of(URI.create("http://127.0.0.1:" + port))), QUICK)) {
            peers.publish(report(DC1, 1));
            peers.start(facts);
            var silent = facts.await(Fact.PeerSilent.class, f -> true, LIMIT);
            assertThat(silent.datacenter()).isEqualTo(DC2);
            assertThat(silent.reason()).contains("127.0.0.1:" + port).contains("connection refused");
            try (var server = new FakeServer(port, asked -> Reply.json(Json.text(report(DC2, 3))))) {
                facts.await(Fact.PeerReported.class, f -> true, LIMIT);
                assertThat(server.asked()).isNotEmpty();
            }
        }
    }

    @Test
    void the_second_server_of_a_datacenter_is_tried_when_the_first_is_down() {
        try (var server = new FakeServer(asked -> Reply.json(Json.text(report(DC2, 3))));
                var peers = peers(Map.of(DC2, List.of(URI.create("http://127.0.0.1:1"), server.url())), PATIENT)) {
            peers.publish(report(DC1, 1));
            peers.start(facts);
            facts.await(Fact.PeerReported.class, f -> true, LIMIT);
            assertThat(facts.all(Fact.PeerSilent.class)).isEmpty();
        }
    }

    @Test
    void a_server_of_another_datacenter_at_the_address_is_rejected() {
        try (var server = new FakeServer(asked -> Reply.json(Json.text(report(DC3, 3))));
                var peers = peers(Map.of(DC2, List.of(server.url())), QUICK)) {
            peers.publish(report(DC1, 1));
            peers.start(facts);
            var silent = facts.await(Fact.PeerSilent.class, f -> true, LIMIT);
            assertThat(silent.reason()).contains("is datacenter dc3, not dc2");
        }
    }

    @Test
    void an_unknown_datacenter_introduces_itself_and_is_forgotten_after_long_silence() {
        try (var peers = peers(Map.of(), QUICK)) {
            peers.publish(report(DC1, 1));
            peers.start(facts);
            assertThat(peers.receive(reportFrom(DC3, "http://127.0.0.1:1"))).contains(report(DC1, 1));
            assertThat(peers.known()).containsExactly(DC3);
            assertThat(facts.all(Fact.PeerReported.class)).hasSize(1);
            facts.await(Fact.PeerSilent.class, f -> f.datacenter().equals(DC3), LIMIT);
            long end = System.nanoTime() + LIMIT.toNanos();
            while (!peers.known().isEmpty() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(peers.known()).isEmpty();
        }
    }

    @Test
    void a_report_that_names_this_datacenter_or_an_invalid_url_is_refused() {
        try (var peers = peers(Map.of(), QUICK)) {
            peers.start(facts);
            assertThatThrownBy(() -> peers.receive(report(DC1, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("two datacenters have one name");
            assertThatThrownBy(() -> peers.receive(reportFrom(DC3, "file:///etc/passwd")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a base URL");
            assertThat(peers.known()).isEmpty();
        }
    }

    @Test
    void a_server_that_no_longer_leads_sends_no_report() {
        try (var peers = peers(Map.of(), QUICK)) {
            peers.start(facts);
            peers.publish(report(DC1, 1));
            peers.withdraw();
            assertThat(peers.receive(reportFrom(DC3, "http://127.0.0.1:1"))).isEmpty();
        }
    }

    @Test
    void with_TLS_the_token_goes_to_no_peer_without() {
        var credentials = new PeerCredentials(new Secret("secret"), TlsContexts.of(null, new LiveTrust(List.of())));
        try (var server = new FakeServer(asked -> Reply.json(Json.text(report(DC2, 3))));
                var peers = new HttpPeers(DC1, Map.of(DC2, List.of(server.url())), credentials, QUICK)) {
            peers.publish(report(DC1, 1));
            peers.start(facts);
            var silent = facts.await(Fact.PeerSilent.class, f -> true, LIMIT);
            assertThat(silent.reason()).contains(server.url() + " is not an https URL");
            assertThat(server.asked()).isEmpty();
        }
    }

    private static HttpPeers peers(Map<DatacenterName, List<URI>> configured, HttpPeers.Timing timing) {
        return new HttpPeers(DC1, configured, new PeerCredentials(new Secret("secret"), null), timing);
    }

    private static DatacenterReport report(DatacenterName datacenter, int machines) {
        return new DatacenterReport(datacenter, List.of(), machines, Instant.EPOCH, List.of());
    }

    private static DatacenterReport reportFrom(DatacenterName datacenter, String url) {
        return new DatacenterReport(datacenter, List.of(url), 1, Instant.EPOCH, List.of());
    }
}
