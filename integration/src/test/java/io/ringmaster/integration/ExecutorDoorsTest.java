package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.NamedTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A server with {@code tls: on} and the executor of a real node, whose certificates live for a minute. */
@RealNodes(preset = Preset.DEVELOPMENT, roles = false, why = "one node without a playground, for speed")
@Tag("cassandra")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExecutorDoorsTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final NodeId NODE = NodeId.of("rides/dc1/node-0");
    private static final AuthorityName CONTROL = AuthorityName.control(new DatacenterName("dc1"), 1);
    private static final String ADDRESS = "127.94.7.1";
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    private static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 1, seeds: 1}}
            node: {cpus: 0.5, memory: 768MiB, heap: 192MiB, disk: 2GiB}
            jvm: {collector: serial, options: []}
            """;

    private static LocalServer server;

    @BeforeAll
    static void a_cluster_of_one_node() throws IOException {
        server = LocalServer.with("doors", ADDRESS);
        server.client().apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
        server.whole(RIDES, 1);
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    private static Path allocation() {
        return server.allocation(RIDES, 0);
    }

    private static InetSocketAddress endpoint() throws IOException {
        var target = Json.mapper().readTree(allocation().resolve("target.json").toFile());
        return new InetSocketAddress(ADDRESS, target.at("/ports/executor").asInt());
    }

    private static X509Certificate door() {
        try {
            return Pem.certificates(allocation().resolve("door.pem")).get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyAndChain serverIdentity() {
        var issuer = new Issuer(
                new AuthorityDirectory(server.state().resolve("authority")), CONTROL, Duration.ofDays(1), Instant::now);
        return issuer.identity(LeafProfile.server(CONTROL, List.of("localhost")));
    }

    /** Asks the executor as its server does. */
    private static int ask(@Nullable KeyAndChain identity) throws IOException, InterruptedException {
        var name = SpiffeName.executor("dc1", "rides-dc1-node-0");
        var trust = new NamedTrust(
                new LiveTrust(Pem.certificates(allocation().resolve("servers.pem"))), engine -> Optional.of(name));
        var http = HttpClient.newBuilder()
                .sslContext(TlsContexts.of(identity == null ? null : new LiveKeys(identity), trust))
                .build();
        URI url = URI.create("https://" + ADDRESS + ":" + endpoint().getPort() + "/v1/status");
        String token = Files.readString(allocation().resolve("token")).strip();
        return http.send(
                        HttpRequest.newBuilder(url)
                                .header("Authorization", "Bearer " + token)
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private static ProcessHandle executor() {
        return Processes.only("ExecutorMain", allocation().toString());
    }

    private static ProcessHandle daemon() {
        return server.daemon(RIDES, 0);
    }

    @Test
    @Order(1)
    void the_executor_speaks_tls_alone_and_answers_servers_alone() throws Exception {
        assertThat(answerToClearText()).isIn(TLS_ALERT, -1);
        var tls = new CqlPort(endpoint());
        assertThat(tls.answerToTls(CqlPort.TLS_1_2)).isEqualTo(TLS_HANDSHAKE);
        assertThat(tls.answerToTls(CqlPort.TLS_1_1)).isIn(TLS_ALERT, -1);
        assertThat(ask(serverIdentity())).isEqualTo(200);
        assertThatThrownBy(() -> ask(null)).as("without a certificate").isInstanceOf(IOException.class);
        KeyAndChain another = Pem.keyAndChain(allocation().resolve("door.pem"), Instant.now());
        assertThatThrownBy(() -> ask(another)).as("an executor").isInstanceOf(IOException.class);
        for (String file : List.of("door.pem", "servers.pem")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(allocation().resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(server.client().logs(NODE, "executor", 50)).contains("by TLS");
    }

    private static int answerToClearText() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(endpoint(), 3000);
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /v1/live HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Test
    @Order(2)
    void its_certificate_is_renewed_while_it_runs() throws Exception {
        long pid = executor().pid();
        X509Certificate before = door();
        Patience.until("another certificate", SOON, ExecutorDoorsTest::door, door -> !door.equals(before));
        Patience.until(
                "the end of the one before",
                SOON,
                Instant::now,
                now -> now.isAfter(before.getNotAfter().toInstant()));
        assertThat(ask(serverIdentity())).as("the trust checks the dates, too").isEqualTo(200);
        assertThat(server.client().logs(NODE, "executor", 50)).contains("door renewed");
        assertThat(executor().pid()).isEqualTo(pid);
        server.whole(RIDES, 1);
    }

    @Test
    @Order(3)
    void after_the_death_of_server_and_executor_for_longer_than_a_certificate_lives_they_go_on() throws Exception {
        long daemon = daemon().pid();
        long former = executor().pid();
        Processes.kill9(server.process());
        Processes.kill9(executor());
        Patience.until(
                "the end of the door",
                SOON,
                Instant::now,
                now -> now.isAfter(door().getNotAfter().toInstant()));
        server.start();
        Patience.until(
                "the next executor answers its server",
                SOON,
                () -> server.client().logs(NODE, "executor", 50),
                log -> executor().pid() != former && log.contains("by TLS"));
        server.whole(RIDES, 1);
        assertThat(daemon().pid()).isEqualTo(daemon);
        assertThat(ask(serverIdentity())).isEqualTo(200);
    }
}
