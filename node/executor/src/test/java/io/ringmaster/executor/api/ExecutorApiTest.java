package io.ringmaster.executor.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.executor.CompanionDouble;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.state.Pulse;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ExecutorApiTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private NodeFiles files;
    private final AtomicLong now = new AtomicLong();
    private StatusBoard board;
    private NodeIdentity identity;
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        files = new NodeFiles(directory);
        files.create();
        Files.writeString(files.token(), "secret\n");
        Files.write(files.target(), Json.bytes(TestTargets.first().next().target()));
        board = new StatusBoard(status("preparing"), new Pulse(now::get));
        identity = new NodeIdentity(files, TestTargets.first().target().node(), () -> {});
        server = ExecutorApi.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                AccessToken.ofAllocation(files.token()),
                null,
                files,
                board,
                new TargetStore(files, TestTargets.first().target().node(), () -> {}),
                identity,
                new CompanionClient(files.socket()));
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private static NodeStatus status(String activity) {
        return status(OperatingMode.DOWN, activity);
    }

    private static NodeStatus status(OperatingMode mode, String activity) {
        return new NodeStatus(
                TestTargets.first().target().node(),
                1,
                0,
                0,
                mode,
                activity,
                Instant.EPOCH,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(
                request.header("Authorization", "Bearer secret").build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void requestsWithoutTheTokenAreRefused() throws Exception {
        HttpRequest none = request("/v1/status").build();
        assertThat(client.send(none, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
        HttpRequest wrong = request("/v1/target")
                .header("Authorization", "Bearer secre")
                .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(wrong, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    private HttpResponse<String> probe(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theProbesNeedNoTokenAndShowNothing() throws Exception {
        HttpResponse<String> live = probe("/v1/live");
        assertThat(live.statusCode()).isEqualTo(200);
        assertThat(live.body()).isEmpty();
        HttpResponse<String> ready = probe("/v1/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).isEmpty();
        board.post(status(OperatingMode.NORMAL, ""), true);
        assertThat(probe("/v1/ready").statusCode()).isEqualTo(200);
        board.post(status(OperatingMode.DRAINING, ""));
        assertThat(probe("/v1/ready").statusCode()).isEqualTo(503);

        now.addAndGet(Pulse.LIMIT.toNanos());
        assertThat(probe("/v1/live").statusCode()).isEqualTo(503);
        HttpResponse<String> stale = send(request("/v1/status"));
        assertThat(stale.statusCode()).as("a status that nobody renews").isEqualTo(503);
        assertThat(stale.body()).contains("its loop has not turned for 5 minutes");
        board.pulse().beat();
        assertThat(send(request("/v1/status")).statusCode()).isEqualTo(200);
        assertThat(probe("/v1/live?x=1").statusCode()).isEqualTo(200);
    }

    @Test
    void nothingBesideTheProbesIsOpen() throws Exception {
        for (String path : List.of(
                "/v1/status",
                "/v1/target",
                "/v1/logs",
                "/v1/metrics",
                "/v1/management",
                "/v1/live/",
                "/v1/live/../status",
                "/v1/liveness",
                "/v1/ready/status")) {
            assertThat(probe(path).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(send(request("/v1/liveness")).statusCode()).isEqualTo(404);
        HttpRequest.Builder put = request("/v1/live").PUT(HttpRequest.BodyPublishers.ofString("{}"));
        assertThat(send(put).statusCode()).isEqualTo(405);
    }

    @Test
    void aLongPollAnswersWhenTheStatusChanges() throws Exception {
        assertThat(send(request("/v1/status")).body())
                .contains("\"revision\":1")
                .contains("preparing");
        CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(
                request("/v1/status?after=1&wait_ms=20000")
                        .header("Authorization", "Bearer secret")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        board.post(status("starting the JVM"));
        assertThat(waiting.get(10, TimeUnit.SECONDS).body())
                .contains("\"revision\":2")
                .contains("starting the JVM");
    }

    @Test
    void aLongPollWithoutAChangeEndsWithTheOldRevision() throws Exception {
        board.post(status("preparing"));
        assertThat(send(request("/v1/status?after=1&wait_ms=50")).body()).contains("\"revision\":1");
    }

    @Test
    void aTargetIsAcceptedOrRefusedWithAReason() throws Exception {
        byte[] newer = Json.bytes(TestTargets.first().next().next().target());
        HttpResponse<String> taken = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofByteArray(newer)));
        assertThat(taken.statusCode()).isEqualTo(200);
        assertThat(taken.body()).isEqualTo("{\"generation\":3}");
        byte[] older = Json.bytes(TestTargets.first().target());
        HttpResponse<String> refused = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofByteArray(older)));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("\"field\":\"generation\"");
        HttpResponse<String> broken =
                send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofString("{\"node\":3")));
        assertThat(broken.statusCode()).isEqualTo(400);
        HttpResponse<String> none = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofString("null")));
        assertThat(none.statusCode()).isEqualTo(400);
        String nobodys =
                Json.text(TestTargets.first().next().next().next().target()).replaceFirst("\"node\":\"[^\"]*\",", "");
        HttpResponse<String> anonymous = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofString(nobodys)));
        assertThat(anonymous.statusCode()).isEqualTo(400);
        assertThat(anonymous.body()).contains("node is missing");
        byte[] others =
                Json.bytes(TestTargets.first().with("node", "rides/dc1/node-1").target());
        HttpResponse<String> wrong = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofByteArray(others)));
        assertThat(wrong.statusCode()).isEqualTo(409);
        assertThat(wrong.body()).contains("this executor runs rides/dc1/node-0");
    }

    @Test
    void aTargetThatCannotBeStoredIsAnAnswer() throws Exception {
        Files.delete(files.target());
        Files.createDirectories(files.target().resolve("obstacle"));
        byte[] newer = Json.bytes(TestTargets.first().next().next().target());
        HttpResponse<String> answer = send(request("/v1/target").PUT(HttpRequest.BodyPublishers.ofByteArray(newer)));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("EXECUTOR_FAILED").contains("cannot write to " + files.target());
    }

    /** An executor that does not answer looks like one that is gone. */
    @Test
    void aCertificateThatCannotBeWrittenIsAnsweredWithTheReason() throws Exception {
        Files.writeString(files.identity(), "a file where the directory should be");
        AuthorityName rides = AuthorityName.internode(new ClusterName("rides"), DC1, 1);
        Issuer issuer = new Issuer(
                new AuthorityDirectory(directory.resolve("authority")),
                AuthorityName.control(DC1, 1),
                Duration.ofDays(30),
                Instant::now);
        List<CertificatePem> trust = List.of(issuer.make(rides));
        LeafProfile profile = LeafProfile.internode(rides, List.of("127.0.0.1"));
        PublicKeyPem key = Objects.requireNonNull(identity.status().publicKey());
        byte[] update = Json.bytes(new IdentityUpdate(issuer.issue(profile, key), trust, List.of()));
        HttpResponse<String> answer = send(request("/v1/identity").PUT(HttpRequest.BodyPublishers.ofByteArray(update)));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("cannot write to " + files.identity());
    }

    @Test
    void aTargetForANodeThatIsDownIsRefusedWhileTheDaemonRuns() throws Exception {
        byte[] newer = Json.bytes(TestTargets.first().next().next().target());
        for (OperatingMode mode : List.of(OperatingMode.LAUNCHED, OperatingMode.STARTING, OperatingMode.NORMAL)) {
            board.post(status(mode, ""));
            HttpResponse<String> refused =
                    send(request("/v1/target?while=down").PUT(HttpRequest.BodyPublishers.ofByteArray(newer)));
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("is down, but the node is " + mode);
        }
        assertThat(Json.parse(Files.readAllBytes(files.target()), NodeTarget.class))
                .isEqualTo(TestTargets.first().next().target());
        board.post(status("starting again in 2 s"));
        HttpResponse<String> taken =
                send(request("/v1/target?while=down").PUT(HttpRequest.BodyPublishers.ofByteArray(newer)));
        assertThat(taken.body()).isEqualTo("{\"generation\":3}");
    }

    @Test
    void logsAreServedByNameOnlyAndNeverByPath() throws Exception {
        Files.writeString(files.systemLog(), "one\ntwo\nthree\n");
        assertThat(send(request("/v1/logs?lines=2")).body()).isEqualTo("two\nthree\n");
        assertThat(send(request("/v1/logs?lines=200")).body()).isEqualTo("one\ntwo\nthree\n");
        assertThat(send(request("/v1/logs?file=gc")).body()).isEmpty();
        for (String path : new String[] {"../../token", "/etc/passwd", "%2e%2e%2ftoken", "system.log"}) {
            HttpResponse<String> refused = send(request("/v1/logs?file=" + path));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("executor, gc, system").doesNotContain("secret");
        }
        assertThat(send(request("/v1/logs?lines=0")).statusCode()).isEqualTo(400);
    }

    @Test
    void rotatedLogsAreReadToo() throws Exception {
        Files.writeString(files.systemLog(), "five\n");
        Path newer = Files.writeString(files.systemLog().resolveSibling("system.log.1"), "three\nfour\n");
        Path older = Files.writeString(files.systemLog().resolveSibling("system.log.2"), "one\ntwo\n");
        Files.setLastModifiedTime(newer, FileTime.fromMillis(2_000));
        Files.setLastModifiedTime(older, FileTime.fromMillis(1_000));
        assertThat(send(request("/v1/logs?lines=4")).body()).isEqualTo("two\nthree\nfour\nfive\n");
        assertThat(send(request("/v1/logs?lines=1")).body()).isEqualTo("five\n");
        Files.delete(files.systemLog());
        assertThat(send(request("/v1/logs?lines=3")).body()).isEqualTo("two\nthree\nfour\n");
    }

    @Test
    void metricsReportTheModeEvenWhileNoDaemonRuns() throws Exception {
        assertThat(send(request("/v1/metrics")).body())
                .contains("ringmaster_node_mode{mode=\"down\"} 1")
                .contains("ringmaster_node_mode{mode=\"normal\"} 0");
    }

    @Test
    void metricsEndWithTheTextOfCassandraOrWhyItIsMissing() throws Exception {
        board.post(NodeStatusBuilder.builder(status(OperatingMode.NORMAL, ""))
                .daemonPid(7L)
                .build());
        assertThat(send(request("/v1/metrics")).body())
                .contains("ringmaster_node_mode{mode=\"normal\"} 1")
                .contains("\n# Cassandra does not answer: ");
        try (var companion = new CompanionDouble(files, 7)) {
            assertThat(send(request("/v1/metrics")).body())
                    .contains("ringmaster_node_mode{mode=\"normal\"} 1")
                    .endsWith("\n" + CompanionDouble.METRICS);
            companion.fail("no");
            assertThat(send(request("/v1/metrics")).body())
                    .endsWith("\n# Cassandra does not answer: its companion answers 500\n");
        }
    }

    @Test
    void managementWithoutADaemonIsRefused() throws Exception {
        HttpResponse<String> answer = send(request("/v1/management").POST(HttpRequest.BodyPublishers.ofString("{}")));
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("no daemon runs");
    }
}
