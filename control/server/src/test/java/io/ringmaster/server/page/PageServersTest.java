package io.ringmaster.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.server.Eventually;
import io.ringmaster.server.Specs;
import io.ringmaster.server.TestDatacenter;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageServersTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 2, seeds: 1}", "dc2: {nodes: 1, seeds: 1}");

    @TempDir
    Path directory;

    @Test
    void nodes_start_at_the_given_pace_fail_and_recover() throws Exception {
        try (var servers = new PageServers(directory)) {
            RingmasterClient client = client(servers);
            assertThat(servers.obey("pace 1000ms")).isEqualTo(Map.of("ok", true));
            client.apply(RIDES, SPEC, 0L, new ChangeOptions(false, false, true, false));
            awaitHealthy(client);
            assertThat(client.recentEvents(4096).items())
                    .filteredOn(e -> e.type() == Event.Type.NODE && e.subject().equals("rides/dc1/node-1"))
                    .extracting(Event::text)
                    // a busy server may ask only after a phase is over
                    .containsAnyOf("STARTING: reads system tables", "JOINING: streams its ranges")
                    .contains("NORMAL: serves");

            assertThat(servers.obey("fail dc1/node-1").get("ok")).isEqualTo(true);
            ClusterStatus down = Eventually.becomes(
                    () -> client.status(RIDES, Scope.FLEET),
                    s -> s.datacenters().get(0).nodes().get(1).mode() == OperatingMode.DOWN);
            assertThat(down.findings()).extracting(Finding::message).anySatisfy(m -> assertThat(m)
                    .contains("commit log is corrupt"));
            assertThat(client.clusters().items().get(0)).satisfies(line -> {
                assertThat(line.errors() + line.warnings()).isPositive();
                assertThat(line.worst()).isNotNull();
            });
            servers.obey("recover dc1/node-1");
            awaitHealthy(client);
        }
    }

    @Test
    void servers_stop_and_start_and_a_standby_joins_them() throws Exception {
        try (var servers = new PageServers(directory)) {
            RingmasterClient client = client(servers);
            servers.obey("stop dc2");
            Eventually.is(() -> client.datacenter().peers().get(0).silence() != null);
            assertThat(servers.obey("start dc2")).isEqualTo(Map.of("ok", true));
            Eventually.is(() -> client.datacenter().peers().get(0).silence() == null);
            URI standby = URI.create((String) servers.obey("standby dc1").get("url"));
            Eventually.becomes(
                    () -> TestDatacenter.client(standby, TestDatacenter.TOKEN).health(),
                    h -> h.state() == Health.State.STANDBY);
            assertThat(servers.obey("stop dc7")).containsEntry("ok", false);
            assertThat(servers.obey("dance")).containsEntry("error", "unknown line 'dance'");
        }
    }

    private static RingmasterClient client(PageServers servers) {
        var urls = (Map<?, ?>) servers.description().get("servers");
        return TestDatacenter.client(URI.create((String) urls.get("dc1")), TestDatacenter.TOKEN);
    }

    private static void awaitHealthy(RingmasterClient client) {
        Eventually.becomes(() -> client.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
    }
}
