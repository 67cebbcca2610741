package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.ringmaster.json.Json;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two playgrounds of two homes, started at the same time on one computer. */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "two playgrounds at once, for memory")
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoPlaygroundsTest {
    private static final Home ANN = new Home(Playground.ROOT.resolve(".build/two-homes/ann"));
    private static final Home BOB = new Home(Playground.ROOT.resolve(".build/two-homes/bob"));

    /** A folder for {@code RINGMASTER_HOME}. */
    private record Home(Path path) {
        Process start(String... command) throws IOException {
            var line = new ArrayList<>(
                    List.of(Playground.ROOT.resolve("ringmaster").toString()));
            line.addAll(List.of(command));
            var builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.environment().put("RINGMASTER_HOME", path.toString());
            builder.environment().remove("RINGMASTER_SERVER");
            return builder.redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log().toFile())
                    .start();
        }

        void succeeds(Process process) throws Exception {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("it ends").isTrue();
            assertThat(process.exitValue()).as(Playground.text(log())).isZero();
        }

        String run(String... command) throws Exception {
            succeeds(start(command));
            return Playground.text(log());
        }

        private Path log() {
            return path.resolve("command.log");
        }

        /** The CQL address of the only node. */
        InetSocketAddress node() throws Exception {
            String status = run("cluster", "status", "rides", "-o", "json");
            URI endpoint = URI.create("cql://"
                    + Json.mapper()
                            .readTree(status.substring(status.indexOf('{')))
                            .findValue("cqlEndpoint")
                            .asText());
            return new InetSocketAddress(endpoint.getHost(), endpoint.getPort());
        }

        List<ProcessHandle> processes() {
            return Processes.mentioning(path.toString() + "/playground");
        }

        int block() {
            return (Integer) Json.parse(Playground.text(path.resolve("playground/playground.json")), Map.class)
                    .get("block");
        }
    }

    @BeforeAll
    static void start_both_at_once() throws Exception {
        Files.createDirectories(Playground.HOME.resolve("cache"));
        for (Home home : List.of(ANN, BOB)) {
            Files.createDirectories(home.path());
            Path cache = home.path().resolve("cache");
            if (!Files.exists(cache)) {
                Files.createSymbolicLink(cache, Playground.HOME.resolve("cache"));
            }
            home.run("playground", "down"); // what a broken-off run left
        }
        Process first = ANN.start("playground", "--datacenters", "1", "--nodes", "1", "--no-tls", "--detach");
        Process second = BOB.start("playground", "--datacenters", "1", "--nodes", "1", "--no-tls", "--detach");
        ANN.succeeds(first);
        BOB.succeeds(second);
    }

    @AfterAll
    static void nothing_is_left_behind() throws Exception {
        for (Home home : List.of(ANN, BOB)) {
            home.run("playground", "down");
            assertThat(home.processes()).isEmpty();
            assertThat(home.path().resolve("playground")).doesNotExist();
        }
    }

    @Test
    @Order(1)
    void each_has_addresses_and_server_ports_of_its_own() throws Exception {
        assertThat(ANN.block()).isNotEqualTo(BOB.block());
        for (Home home : List.of(ANN, BOB)) {
            assertThat(home.node()).isEqualTo(new InetSocketAddress("127." + home.block() + ".1.1", 9042));
            assertThat(home.run("doctor"))
                    .doesNotContain("127." + ANN.block() + ".1.1", "127." + BOB.block() + ".1.1", "warn  ports");
        }
        assertThat(ANN.run("playground", "status")).doesNotContain(server(BOB));
    }

    @Test
    @Order(2)
    void a_row_of_one_is_not_in_the_other() throws Exception {
        for (Home home : List.of(ANN, BOB)) {
            try (CqlSession session = session(home)) {
                Ddl.execute(
                        session,
                        "CREATE KEYSPACE trips WITH replication =" + " {'class':'NetworkTopologyStrategy','dc1':1}");
                Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
            }
        }
        try (CqlSession ann = session(ANN);
                CqlSession bob = session(BOB)) {
            ann.execute("INSERT INTO trips.place (rider, city) VALUES (1, 'Pune')");
            bob.execute("INSERT INTO trips.place (rider, city) VALUES (2, 'Lima')");
            assertThat(cities(ann)).containsExactly("Pune");
            assertThat(cities(bob)).containsExactly("Lima");
            for (CqlSession session : List.of(ann, bob)) {
                assertThat(session.execute("SELECT peer FROM system.peers_v2").all())
                        .as("nodes of another cluster")
                        .isEmpty();
            }
        }
    }

    @Test
    @Order(3)
    void the_end_of_one_leaves_the_other_serving() throws Exception {
        InetSocketAddress node = ANN.node();
        List<Long> before = pids(BOB);
        try (CqlSession bob = session(BOB)) {
            ANN.run("playground", "down");
            assertThat(ANN.processes()).isEmpty();
            assertThat(cities(bob)).containsExactly("Lima");
        }
        assertThat(pids(BOB)).isEqualTo(before).hasSize(3);
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(node.getHostString()), node.getPort()));
        }
        BOB.run("cluster", "restart", "rides", "--yes", "--wait", "--why", "a test");
        try (CqlSession bob = session(BOB)) {
            assertThat(cities(bob)).containsExactly("Lima");
        }
    }

    private static CqlSession session(Home home) throws Exception {
        return CqlSession.builder()
                .withLocalDatacenter("dc1")
                .addContactPoint(home.node())
                .build();
    }

    private static List<String> cities(CqlSession session) {
        List<Row> rows = session.execute("SELECT city FROM trips.place").all();
        return rows.stream().map(row -> row.getString("city")).toList();
    }

    private static List<Long> pids(Home home) {
        return home.processes().stream().map(ProcessHandle::pid).sorted().toList();
    }

    private static String server(Home home) {
        return Json.parse(Playground.text(home.path().resolve("playground/playground.json")), Map.class)
                .get("servers")
                .toString()
                .replaceAll(".*(http://[0-9.:]+).*", "$1");
    }
}
