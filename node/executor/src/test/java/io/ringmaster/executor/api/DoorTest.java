package io.ringmaster.executor.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.ports.DoorFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The executor's API by TLS, and the callers that it refuses. */
@Timeout(60)
class DoorTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final AuthorityName CONTROL = AuthorityName.control(DC1, 1);
    private static final AllocationId ALLOCATION = new AllocationId("rides-dc1-node-0-1");
    private static final Duration LIFE = Duration.ofDays(30);
    /** What was issued then has ended. */
    private final Instant longAgo = Instant.now().minus(LIFE.plusDays(1));

    private static final int TLS_ALERT = 21;

    @TempDir
    Path directory;

    private NodeFiles files;
    private @Nullable HttpServer server;

    @BeforeEach
    void prepare() throws IOException {
        files = new NodeFiles(Files.createDirectory(directory.resolve("allocation")));
        files.create();
        Files.writeString(files.token(), "secret\n");
        Files.write(files.target(), Json.bytes(TestTargets.first().target()));
        issuer("authority", longAgo);
        lay(issuer("authority").door(ALLOCATION));
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.stop(0);
        }
    }

    /** Its control authority is made, once for each name. */
    private Issuer issuer(String name, Instant now) {
        var issuer = new Issuer(new AuthorityDirectory(directory.resolve(name)), CONTROL, LIFE, () -> now);
        issuer.make(CONTROL);
        return issuer;
    }

    private Issuer issuer(String name) {
        return issuer(name, Instant.now());
    }

    /** As a pool does it. */
    private void lay(DoorFiles door) throws IOException {
        DurableFiles.write(files.allocation().resolve(DoorFiles.SERVERS), door.servers());
        DurableFiles.write(files.allocation().resolve(DoorFiles.DOOR), door.identity());
    }

    private void open(DatacenterName datacenter, boolean probed) throws IOException {
        var node = TestTargets.first().target().node();
        var status = new NodeStatus(
                node,
                1,
                0,
                0,
                OperatingMode.DOWN,
                "waits",
                Instant.EPOCH,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
        server = ExecutorApi.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                AccessToken.ofAllocation(files.token()),
                Door.open(files.allocation(), datacenter, probed),
                files,
                new StatusBoard(status),
                new TargetStore(files, node, () -> {}),
                new NodeIdentity(files, node, () -> {}),
                new CompanionClient(files.socket()));
    }

    private void open() throws IOException {
        open(DC1, false);
    }

    private static KeyAndChain server(Issuer issuer) {
        return issuer.identity(LeafProfile.server(CONTROL, List.of("127.0.0.1")));
    }

    private Caller call(@Nullable SSLContext context) throws IOException {
        return new Caller(server.getAddress(), context);
    }

    private Caller call(@Nullable KeyAndChain identity) throws IOException {
        return call(Caller.context(identity == null ? null : new LiveKeys(identity)));
    }

    private void assertRefused(@Nullable KeyAndChain identity) throws IOException {
        try (Caller caller = call(identity)) {
            assertThat(caller.get("/v1/live", "secret")).isEqualTo(Caller.REFUSED);
        }
    }

    private X509Certificate served() throws IOException {
        try (Caller caller = call(server(issuer("authority")))) {
            assertThat(caller.get("/v1/status", "secret")).isEqualTo("HTTP/1.1 200 OK");
            return caller.shown();
        }
    }

    @Test
    void aServerOfTheDatacenterIsAnsweredByTheExecutorOfTheAllocation() throws Exception {
        open();
        assertThat(SubjectNames.of(served()).spiffe())
                .hasToString("Optional[spiffe://ringmaster/executor/dc1/rides-dc1-node-0-1]");
    }

    @Test
    void theTokenIsWantedToo() throws IOException {
        open();
        try (Caller caller = call(server(issuer("authority")))) {
            assertThat(caller.get("/v1/status", "guessed")).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void nobodyElseIsAnswered() throws IOException {
        open();
        assertRefused(null);
        assertRefused(server(issuer("another authority")));
        assertRefused(Pem.keyAndChain(
                issuer("authority").door(new AllocationId("rides-dc1-node-1-1")).identity(), "door of another"));
        assertRefused(Pem.keyAndChain(issuer("authority").door(ALLOCATION).identity(), "its own door"));
        assertRefused(server(issuer("authority", longAgo)));
    }

    @Test
    void aServerOfAnotherDatacenterIsNotAnswered() throws IOException {
        open(DC2, false);
        assertRefused(server(issuer("authority")));
    }

    @Test
    void clearTextGetsNoAnswer() throws IOException {
        open();
        try (Socket plain =
                new Socket(server.getAddress().getAddress(), server.getAddress().getPort())) {
            plain.setSoTimeout(20_000);
            plain.getOutputStream()
                    .write("GET /v1/live HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(plain.getInputStream().read()).isIn(TLS_ALERT, -1);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void aKubeletProbesWithoutACertificateAndGetsNothingElse() throws IOException {
        open(DC1, true);
        try (Caller caller = call((KeyAndChain) null)) {
            assertThat(caller.get("/v1/ready", "")).startsWith("HTTP/1.1 503");
            assertThat(caller.get("/v1/status", "secret")).startsWith("HTTP/1.1 401");
        }
        try (Caller strange = call(server(issuer("another authority")))) {
            assertThat(strange.get("/v1/status", "secret")).startsWith("HTTP/1.1 401");
        }
        assertRefused(Pem.keyAndChain(issuer("authority").door(ALLOCATION).identity(), "its own door"));
        assertThat(served()).isNotNull();
    }

    @Test
    void renewedFilesAreUsedWithoutARestart() throws IOException {
        open();
        X509Certificate first = served();
        lay(issuer("authority").door(ALLOCATION));
        assertThat(served()).isNotEqualTo(first).isEqualTo(door().leaf());
    }

    private KeyAndChain door() throws IOException {
        return Pem.keyAndChain(files.allocation().resolve(DoorFiles.DOOR), Instant.now());
    }

    @Test
    void aServerWhoseAuthorityWasReplacedIsRefusedOnAConnectionThatExistsAndOnAResumedOne() throws IOException {
        open();
        SSLContext former = Caller.context(new LiveKeys(server(issuer("authority"))));
        try (Caller kept = call(former)) {
            assertThat(kept.get("/v1/status", "secret")).isEqualTo("HTTP/1.1 200 OK");
            lay(issuer("another authority").door(ALLOCATION));
            assertThat(kept.get("/v1/status", "secret")).startsWith("HTTP/1.1 401");
        }
        try (Caller resumed = call(former)) {
            assertThat(resumed.get("/v1/status", "secret")).isEqualTo(Caller.REFUSED);
        }
        try (Caller present = call(server(issuer("another authority")))) {
            assertThat(present.get("/v1/status", "secret")).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void aDoorThatHasEndedIsOpenedAndRenewed() throws IOException {
        lay(issuer("authority", longAgo).door(ALLOCATION));
        open();
        assertThat(served().getNotAfter()).isBefore(Instant.now());
        lay(issuer("authority").door(ALLOCATION));
        assertThat(served().getNotAfter()).isAfter(Instant.now());
    }

    @Test
    void damagedFilesChangeNothing() throws IOException {
        open();
        X509Certificate first = served();
        DoorFiles next = issuer("authority").door(ALLOCATION);
        lay(new DoorFiles(next.identity().substring(0, 100), next.servers()));
        assertThat(served()).isEqualTo(first);
        Files.delete(files.allocation().resolve(DoorFiles.DOOR));
        assertThat(served()).isEqualTo(first);
        lay(next);
        assertThat(served()).isEqualTo(door().leaf()).isNotEqualTo(first);
    }

    @Test
    void anExecutorWithoutItsFilesDoesNotStart() throws IOException {
        Files.delete(files.allocation().resolve(DoorFiles.DOOR));
        assertThatThrownBy(() -> Door.open(files.allocation(), DC1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--door")
                .hasMessageContaining("door.pem");
    }
}
