package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.host.FreePorts;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real server processes that listen by TLS; a home for both, as on one computer. */
class ServerTlsTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private final int[] ports = {FreePorts.next(), FreePorts.next()};
    private final int[] seedPorts = {FreePorts.next(), FreePorts.next()};

    @AfterEach
    void killWhatRuns() {
        started.forEach(Process::destroyForcibly);
    }

    private String config(int number) {
        return """
                datacenter: dc%d
                listen: 127.0.0.1:%d
                tls: on
                seed_listen: 127.0.0.1:%d
                state_directory: state-%1$d
                token_file: token
                peers: [{datacenter: dc%d, url: "https://127.0.0.1:%d"}]
                zookeeper: {embedded: true}
                pool:
                  local:
                    dist: nothing
                    cache: cache
                    binaries: nothing
                    machines:
                      - {name: m1, rack: r1, address: 127.92.%1$d.1, cpus: 2, memory: 4GiB, disk: 8GiB, ports: 7000-9999}
                """
                .formatted(number, ports[number - 1], seedPorts[number - 1], 3 - number, ports[2 - number]);
    }

    private void start(int number) throws IOException {
        Path file = Files.writeString(directory.resolve("dc" + number + ".yaml"), config(number));
        started.add(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=logback.xml",
                        "io.ringmaster.server.ServerMain",
                        "--config",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output-" + number).toFile())
                .start());
    }

    /** As the command line does: the token and the CAs of the home. */
    private RingmasterClient client(int number) throws IOException {
        Path trust = directory.resolve("trust");
        Eventually.is(() -> output(number).contains("its CA is sha256:"));
        var tls = TlsContexts.of(null, new LiveTrust(Pem.certificatesIn(trust)));
        String token = Files.readString(directory.resolve("token")).strip();
        var client = new RingmasterClient(URI.create(url(number)), token, LIMIT, tls);
        Eventually.is(() -> client.health().poolSeen());
        return client;
    }

    private String url(int number) {
        return "https://127.0.0.1:" + ports[number - 1];
    }

    private String output(int number) {
        try {
            return Files.readString(directory.resolve("output-" + number));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void servers_of_two_datacenters_reach_each_other_by_TLS() throws Exception {
        start(1);
        start(2);
        RingmasterClient first = client(1);
        RingmasterClient second = client(2);
        Eventually.is(() -> first.machines().items().size() == 2
                && second.machines().items().size() == 2);
        assertThat(first.machines().unanswered()).map(Unanswered::reason).isEmpty();
    }

    @Test
    void a_standby_asks_its_leader_by_TLS() throws Exception {
        try (var datacenter = TestDatacenter.withTls(directory)) {
            RingmasterClient standby = datacenter.client(datacenter.startAnotherServer());
            Health health = Eventually.becomes(standby::health, h -> h.state() == Health.State.STANDBY);
            assertThat(health.leaderUrl()).isEqualTo(datacenter.url().toString());
            var spec = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}");
            assertThat(standby.apply(RIDES, spec, 0L, ChangeOptions.APPLY).specVersion())
                    .isEqualTo(1);
            assertThat(standby.spec(RIDES)).isEqualTo(datacenter.client().spec(RIDES));
        }
    }

    @Test
    void nothing_below_TLS_1_2_and_nothing_without_TLS_but_seeds_is_answered() throws Exception {
        start(1);
        client(1);
        assertThat(get("http://127.0.0.1:" + seedPorts[0] + "/api/v1/health"))
                .startsWith("400 ")
                .contains("answers only nodes that ask for their seeds");
        assertThat(get("http://127.0.0.1:" + seedPorts[0] + "/api/v1/seeds?node=rides-dc1-1"))
                .doesNotContain("answers only nodes");
        assertThatThrownBy(() -> get("http://127.0.0.1:" + ports[0] + "/api/v1/health"))
                .isInstanceOf(IOException.class);
        var stranger = new RingmasterClient(URI.create(url(1)), null, LIMIT);
        assertThatThrownBy(stranger::health)
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("PKIX path building failed");
        assertVersions();
    }

    private static String get(String url) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private void assertVersions() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/openssl")), "openssl is not installed");
        assertThat(handshake("-tls1")).contains("alert protocol version");
        assertThat(handshake("-tls1_1")).contains("alert protocol version");
        assertThat(handshake("-tls1_2")).contains("Protocol  : TLSv1.2", "Verification: OK");
        assertThat(handshake("-tls1_3")).contains("TLSv1.3", "Verification: OK");
    }

    private String handshake(String version) throws Exception {
        Path authority;
        try (var files = Files.list(directory.resolve("trust"))) {
            authority = files.findFirst().orElseThrow();
        }
        Process process = new ProcessBuilder(
                        "openssl",
                        "s_client",
                        version,
                        "-cipher",
                        "ALL:@SECLEVEL=0",
                        "-connect",
                        "127.0.0.1:" + ports[0],
                        "-CAfile",
                        authority.toString(),
                        "-verify_ip",
                        "127.0.0.1")
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
