package io.ringmaster.server.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.PresentedChain;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.FakeClock;
import io.ringmaster.server.Eventually;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.TlsSettings;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDoorTest {
    private static final int TIMEOUT_MS = 10_000;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final FakeClock clock = new FakeClock(Instant.now());
    private final Server server = new Server();

    @TempDir
    Path directory;

    private ServerDoor door;
    private int port;

    @BeforeEach
    void open() throws Exception {
        door = ServerDoor.open(config(), config().tls(), clock);
        var connector = (ServerConnector) door.secureConnector(server, new HttpConfiguration());
        server.addConnector(connector);
        server.start();
        port = connector.getLocalPort();
    }

    @AfterEach
    void close() throws Exception {
        server.stop();
        door.close();
    }

    private ServerConfig config() {
        URI url = URI.create("https://rm.example.com:8080");
        return new ServerConfig(
                new DatacenterName("dc1"),
                ANY_PORT,
                url,
                List.of(URI.create("http://127.0.0.1:8090")),
                directory.resolve("state"),
                directory.resolve("token"),
                Map.of(),
                null,
                new ServerConfig.ConfiguredPool("none", () -> null),
                1,
                directory.resolve("locations"),
                directory.resolve("passwords"),
                List.of("dc.example.com"),
                false,
                new TlsSettings(ANY_PORT, Duration.ofMinutes(1), directory.resolve("trust")));
    }

    private List<X509Certificate> presented() throws Exception {
        return PresentedChain.of("127.0.0.1", port, TIMEOUT_MS);
    }

    @Test
    void the_certificate_names_everything_that_the_server_is_reached_by() throws Exception {
        List<X509Certificate> chain = presented();
        SubjectNames names = SubjectNames.of(chain.get(0));
        assertThat(names.spiffe()).contains(SpiffeName.server("dc1"));
        assertThat(names.hosts()).containsExactlyInAnyOrder("localhost", "rm.example.com", "dc.example.com");
        assertThat(names.addresses()).containsExactlyInAnyOrder(address("127.0.0.1"), address("::1"));
        assertThat(chain).hasSize(2);
        assertThat(Fingerprint.of(chain.get(1))).isEqualTo(door.fingerprint());
    }

    @Test
    void the_certificate_is_renewed_under_connections_that_go_on() throws Exception {
        X509Certificate first = presented().get(0);
        try (SSLSocket open = (SSLSocket) door.clients().getSocketFactory().createSocket("127.0.0.1", port)) {
            open.setSoTimeout(TIMEOUT_MS);
            open.setSSLParameters(TlsContexts.parameters(door.clients()));
            open.startHandshake();
            clock.advance(Duration.ofSeconds(41));
            Eventually.is(() -> !serial().equals(first.getSerialNumber()));
            open.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(open.getInputStream().read()).isEqualTo('H');
        }
        X509Certificate renewed = presented().get(0);
        assertThat(renewed.getNotAfter().toInstant())
                .isAfter(first.getNotAfter().toInstant());
    }

    private BigInteger serial() {
        try {
            return presented().get(0).getSerialNumber();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_CA_survives_a_restart_and_lies_where_users_of_this_computer_look() throws Exception {
        Fingerprint before = door.fingerprint();
        door.close();
        door = ServerDoor.open(config(), config().tls(), clock);
        assertThat(door.fingerprint()).isEqualTo(before);
        try (var files = Files.list(directory.resolve("trust"))) {
            assertThat(files).hasSize(1);
        }
    }

    /** Of a literal, without a look-up. */
    private static InetAddress address(String literal) {
        return SubjectNames.of(Optional.empty(), List.of(literal)).addresses().get(0);
    }
}
