package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.wire.api.CqlLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * The playground as a user starts it, with TLS everywhere: every port of its processes is asked how it talks, and
 * nothing that it writes, answers or runs with shows a secret.
 */
@RealNodes(preset = Preset.DEVELOPMENT, why = "the playground as users start it")
@Tag("cassandra")
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EncryptedPlaygroundTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final List<String> DATACENTERS = List.of("dc1", "dc2");
    private static final ClusterName RIDES = Playground.RIDES;

    private static Playground playground;

    /** Of logins that commands made. */
    private static final List<PlantedSecret> PASSWORDS = new ArrayList<>();

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

    /** A port of each server, on loopback, that does not take TLS alone. */
    private record Exempt(String reason, Predicate<OpenPort> which) {
        boolean is(OpenPort port) {
            return port.commandLine().contains("ServerMain") && port.address().isLoopbackAddress() && which.test(port);
        }
    }

    private static final Exempt ZOOKEEPER =
            new Exempt("the embedded ZooKeeper: a secret protects every znode", EncryptedPlaygroundTest::isZookeeper);
    private static final Exempt HELD = new Exempt(
            "keeps a block of loopback addresses from other playgrounds, and never answers",
            port -> port.port() == HeldSockets.PORT);

    private static boolean isZookeeper(OpenPort port) {
        return DATACENTERS.stream()
                .map(dc -> Playground.HOME.resolve("playground/" + dc + "/zookeeper/client.port"))
                .anyMatch(file -> Playground.text(file).strip().equals(Integer.toString(port.port())));
    }

    @Test
    @Order(1)
    void every_port_takes_tls_1_2_or_1_3_alone() throws Exception {
        assumeTrue(PortScan.hasOpenssl(), "openssl is not installed -> ./dev setup");
        List<OpenPort> open = OpenPort.below(Playground.HOME);
        for (Exempt exempt : List.of(ZOOKEEPER, HELD)) {
            assertThat(open.stream().filter(exempt::is)).as(exempt.reason).hasSize(DATACENTERS.size());
        }
        List<OpenPort> scanned = open.stream()
                .filter(port -> !ZOOKEEPER.is(port) && !HELD.is(port))
                .toList();
        assertThat(of("companion.Launch", scanned)).as("two ports of each node").hasSize(2 * DATACENTERS.size());
        assertThat(of("ExecutorMain", scanned)).as("one port of each executor").hasSize(DATACENTERS.size());
        assertThat(of("ServerMain", scanned)).as("one port of each server").hasSize(DATACENTERS.size());
        assertThat(PortScan.faults(scanned.stream().map(OpenPort::endpoint).toList()))
                .isEmpty();
        assertThat(open.stream().filter(HELD::is).map(OpenPort::endpoint)).allMatch(PortScan::isSilent);
    }

    private static List<OpenPort> of(String program, List<OpenPort> ports) {
        return ports.stream()
                .filter(port -> port.commandLine().contains(program))
                .toList();
    }

    @Test
    @Order(2)
    void every_port_is_on_loopback() {
        assertThat(OpenPort.below(Playground.HOME))
                .allMatch(port -> port.address().isLoopbackAddress());
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
                List<String> opened;
                try (Stream<String> mapped = Files.lines(Path.of("/proc/" + process.pid() + "/maps"))) {
                    opened = mapped.filter(line -> line.contains(".jsa") && !line.endsWith("/classes.jsa"))
                            .toList();
                }
                assertThat(opened)
                        .as("archives of %s", program.getKey())
                        .anyMatch(line -> line.endsWith(program.getValue()));
            }
        }
    }

    @Test
    @Order(5)
    void a_probe_logs_in_by_tls_with_a_password_that_no_argument_shows() throws Exception {
        assumeThat(Playground.metronome())
                .as("no metronome -> ./dev rust --build")
                .isPresent();
        List<String> command = List.of("cluster", "flush", "rides", "--yes", "--wait", "--probe");
        CompletableFuture<Playground.Result> probe =
                CompletableFuture.supplyAsync(() -> Playground.attempt(command), task -> new Thread(task).start());
        List<String> load = Patience.until(
                "the load of a datacenter", SOON, EncryptedPlaygroundTest::load, line -> !line.isEmpty());
        Path file = Path.of(load.get(load.indexOf("--password-file") + 1));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        var password = PlantedSecret.of("the password of the probe", Files.readString(file), file);
        PASSWORDS.add(password);
        assertThat(new SecretSearch(List.of(password))
                        .processes(Playground.HOME)
                        .found())
                .isEmpty();
        assertThat(probe.get(SOON.toSeconds(), TimeUnit.SECONDS).output())
                .contains("load: 200 requests a second in each datacenter")
                .containsPattern("dc2 during +[1-9]");
        assertThat(file).doesNotExist();
    }

    /** The arguments of a load generator that this test has started. */
    private static List<String> load() {
        return ProcessHandle.current()
                .descendants()
                .map(process -> Processes.commandLine(process.pid()))
                .filter(line -> line.contains("--password-file"))
                .findFirst()
                .orElse(List.of());
    }

    @Test
    @Order(6)
    void secrets_are_in_no_place_but_where_they_belong() throws Exception {
        List<PlantedSecret> secrets = new ArrayList<>(PlantedSecret.madeIn(Playground.HOME));
        assertThat(secrets)
                .extracting(PlantedSecret::name)
                .as("keys of authorities, of nodes and of executors")
                .anyMatch(name -> name.endsWith("dc1/authority/control.dc1.1.pem"))
                .anyMatch(name -> name.endsWith("dc2/authority/clients.rides.dc2.1.pem"))
                .anyMatch(name -> name.endsWith("rides-dc1-node-0/tls/node.pem"))
                .anyMatch(name -> name.endsWith("rides-dc2-node-0/door.pem"));
        CqlLogin login = playground.client("dc2").cqlLogin(RIDES);
        secrets.add(PlantedSecret.of("the password of " + login.user(), login.password()));
        secrets.addAll(PASSWORDS);
        assertThat(new SecretSearch(secrets).everything(playground, DATACENTERS).found())
                .isEmpty();
    }

    @Test
    @Order(7)
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
