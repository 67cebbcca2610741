package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** The playground as a user starts it, with TLS everywhere: every port of its processes is asked how it talks. */
@Tag("cassandra")
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EncryptedPlaygroundTest {
    private static final List<String> DATACENTERS = List.of("dc1", "dc2");
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    private static final int CLOSED = -1;

    private static Playground playground;

    @BeforeAll
    static void a_playground_with_tls() {
        playground = Playground.byDefault("--nodes", "1");
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static Path trust() {
        return Playground.HOME.resolve("trust");
    }

    private static List<InetSocketAddress> ports(String program) {
        return OpenPort.mentioning(program, Playground.HOME.toString()).stream()
                .map(OpenPort::endpoint)
                .toList();
    }

    private static void assertTlsAlone(InetSocketAddress endpoint) throws IOException {
        CqlPort port = new CqlPort(endpoint);
        assertThat(port.answerToClearText()).as("clear text at %s", endpoint).isIn(TLS_ALERT, CLOSED);
        assertThat(port.answerToTls(CqlPort.TLS_1_1))
                .as("TLS 1.1 at %s", endpoint)
                .isIn(TLS_ALERT, CLOSED);
        assertThat(port.answerToTls(CqlPort.TLS_1_2))
                .as("TLS 1.2 at %s", endpoint)
                .isEqualTo(TLS_HANDSHAKE);
    }

    @Test
    @Order(1)
    void every_port_of_every_node_and_executor_takes_tls_alone() throws Exception {
        assertThat(ports("companion.Launch")).as("two ports of each node").hasSize(2 * DATACENTERS.size());
        assertThat(ports("ExecutorMain")).as("one port of each executor").hasSize(DATACENTERS.size());
        for (InetSocketAddress endpoint : ports("companion.Launch")) {
            assertTlsAlone(endpoint);
        }
        for (InetSocketAddress endpoint : ports("ExecutorMain")) {
            assertTlsAlone(endpoint);
        }
    }

    @Test
    @Order(2)
    void a_server_takes_tls_alone_but_for_the_seeds_and_its_zookeeper_on_loopback() throws Exception {
        for (String datacenter : DATACENTERS) {
            String config = Playground.text(Playground.HOME.resolve("playground/" + datacenter + "/server.yaml"));
            int listen = Integer.parseInt(StoragePort.first("(?m)^listen: *\"?[0-9.]+:([0-9]+)", config));
            int seeds = Integer.parseInt(StoragePort.first("(?m)^seed_listen: *\"?[0-9.]+:([0-9]+)", config));
            List<InetSocketAddress> open = ports("playground/" + datacenter + "/server.yaml");
            assertTlsAlone(
                    open.stream().filter(e -> e.getPort() == listen).findFirst().orElseThrow());
            assertThat(open).extracting(InetSocketAddress::getPort).contains(seeds);
            assertThat(open).allMatch(e -> e.getAddress().isLoopbackAddress());
        }
    }

    @Test
    @Order(3)
    void commands_find_and_trust_the_servers_and_the_shell_the_nodes() {
        assertThat(playground.run("cluster", "list")).contains("rides");
        assertThat(playground.run("cql", "rides", "-e", "SELECT ssl_protocol FROM system_views.clients"))
                .contains("TLSv1.3");
        assertThat(playground.run("cql", "rides", "-e", "SELECT username FROM system_views.clients"))
                .as("each client has logged in")
                .contains("rm_")
                .doesNotContain("anonymous");
        assertThat(playground.status().findings()).isEmpty();
    }

    /** Without it they work, only more slowly. */
    @Test
    @Order(4)
    void every_process_has_opened_its_class_data_archive() throws IOException {
        Map<String, String> archives =
                Map.of("companion.Launch", ".jsa", "ExecutorMain", ".jsa.executor", "ServerMain", "server.jsa");
        for (Map.Entry<String, String> program : archives.entrySet()) {
            List<ProcessHandle> running = Processes.mentioning(program.getKey(), Playground.HOME.toString());
            assertThat(running).as(program.getKey()).hasSize(DATACENTERS.size());
            for (ProcessHandle process : running) {
                assertThat(Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps")))
                        .as("files of %s", program.getKey())
                        .anyMatch(line -> line.endsWith(program.getValue()) && !line.endsWith("/classes.jsa"));
            }
        }
    }

    @Test
    @Order(5)
    void nothing_trusts_its_authorities_when_it_is_gone() throws Exception {
        assertThat(authorities()).hasSize(DATACENTERS.size());
        playground.run("playground", "down");
        assertThat(authorities()).isEmpty();
    }

    private static List<Path> authorities() throws IOException {
        try (Stream<Path> files = Files.list(trust())) {
            return files.toList();
        }
    }
}
