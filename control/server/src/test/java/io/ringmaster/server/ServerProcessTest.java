package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.FreePorts;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The real program in a separate process with a real ZooKeeper and a real local pool. No executor is installed, so
 * Cassandra never starts.
 */
class ServerProcessTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private int port;

    @BeforeEach
    void choosePort() {
        port = FreePorts.next();
    }

    @AfterEach
    void killWhatRuns() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void a_killed_server_continues_with_the_same_plan_after_its_restart() throws Exception {
        // Missing binaries would fail the plan at once; while another process holds their lock, the launch waits.
        Files.createFile(
                Files.createDirectories(directory.resolve("nothing/companion")).resolve("companion.jar"));
        Path lock = Files.createDirectories(directory.resolve("cache/cassandra/5.0.9"))
                .resolve("lib.lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(held.tryLock()).isNotNull();
            killAndStartAgain();
        }
    }

    private void killAndStartAgain() throws Exception {
        Process first = start(config());
        RingmasterClient client = leading();
        var plan = client.apply(RIDES, SPEC, 0L, ChangeOptions.APPLY)
                .plans()
                .get(0)
                .id();
        client.ask(plan, PlanVerb.PAUSE, null);
        first.destroyForcibly().waitFor(30, TimeUnit.SECONDS);

        start(config());
        RingmasterClient again = leading();
        assertThat(again.spec(RIDES).source()).isEqualTo(SPEC);
        assertThat(again.plan(plan).status()).isEqualTo(PlanStatus.PAUSED);
        assertThat(again.ask(plan, PlanVerb.RESUME, null).status()).isEqualTo(PlanStatus.RUNNING);
    }

    @Test
    void the_first_start_creates_the_token_and_never_logs_it() throws Exception {
        Process server = start(config());
        leading();
        Path token = directory.resolve("token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("state"))))
                .isEqualTo("rwx------");
        server.destroy();
        assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        String log = Files.readString(directory.resolve("state/server.log"));
        assertThat(log)
                .contains("startup_ms=")
                .contains("stopped")
                .doesNotContain(Files.readString(token).strip());
        assertThat(output()).contains("datacenter=dc1 listens=http://127.0.0.1:" + port);
    }

    @Test
    void invalid_settings_end_the_start_with_the_names_of_the_fields() throws Exception {
        Process server = start(config().replace("listen:", "lissen:"));
        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(2);
        assertThat(output()).contains("server: listen: missing").contains("server: lissen: unknown field");
    }

    @Test
    void a_second_server_on_the_same_directory_ends_and_does_not_disturb_the_first() throws Exception {
        start(config());
        RingmasterClient client = leading();
        int taken = port;
        port = FreePorts.next();
        Process second = start(config());
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(output()).contains("another server uses").contains("state_directory");
        port = taken;
        assertThat(client.health().state()).isEqualTo(Health.State.LEADING);
    }

    @Test
    void a_port_in_use_is_named() throws Exception {
        start(config());
        leading();
        Process second = start(config().replace("state_directory: state", "state_directory: other"));
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(output()).contains("server: listen: 127.0.0.1:" + port + " cannot be used");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server-1.yaml | is empty, and must be a YAML mapping",
                "token | -> remove it, and a new one is made",
                "state/zookeeper/secret | -> put the file back from a backup",
                "state/authority/control.dc1.1.pem | -> restore it from the server's backup",
            })
    void a_file_that_lost_its_content_is_named_with_the_next_step_and_without_a_trace(String file, String next)
            throws Exception {
        String config = config() + "tls: on\n";
        Process first = start(config);
        Eventually.is(() -> output().contains("startup_ms="));
        first.destroy();
        assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
        if (file.equals("server-1.yaml")) {
            config = "";
        } else {
            Files.writeString(directory.resolve(file), "");
        }
        Process second = start(config);
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isNotZero();
        assertThat(output())
                .contains(directory.resolve(file).toString())
                .contains(next)
                .doesNotContain("\tat ");
    }

    private String config() {
        return """
                datacenter: dc1
                listen: 127.0.0.1:%d
                state_directory: state
                token_file: token
                zookeeper: {embedded: true}
                pool:
                  local:
                    dist: nothing
                    cache: cache
                    binaries: nothing
                    machines:
                      - {name: m1, rack: r1, address: 127.92.1.1, cpus: 2, memory: 4GiB, disk: 8GiB, ports: 7000-9999}
                """
                .formatted(port);
    }

    private Process start(String config) throws IOException {
        Path file = Files.writeString(directory.resolve("server-" + started.size() + ".yaml"), config);
        Process process = new ProcessBuilder(
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
                .redirectOutput(directory.resolve("output-" + started.size()).toFile())
                .start();
        started.add(process);
        return process;
    }

    private RingmasterClient leading() throws IOException {
        Path token = directory.resolve("token");
        Eventually.is(() -> Files.exists(token));
        var client = TestDatacenter.client(
                URI.create("http://127.0.0.1:" + port), Files.readString(token).strip());
        Eventually.is(() -> client.health().poolSeen());
        return client;
    }

    /** The output of the last process. */
    private String output() {
        try {
            return Files.readString(directory.resolve("output-" + (started.size() - 1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
