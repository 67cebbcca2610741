package io.ringmaster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.CommandSet;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.TlsServer;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.Pem;
import io.ringmaster.json.Json;
import io.ringmaster.wire.api.DatacenterInfo;
import io.ringmaster.wire.api.FleetList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginCommandTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final CommandSet COMMANDS =
            new CommandSet(List.of(ClusterCommand.class, LoginCommand.class), List.of(), LocalServers.NONE);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    /** The Authorization header of each request. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private TlsServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void serve() throws IOException {
        listen("first", 0, List.of("127.0.0.1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** @param ca each name has a CA of its own */
    private void listen(String ca, int port, List<String> hosts) throws IOException {
        server = new TlsServer(directory, ca, port, hosts, exchange -> {
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] body = Json.bytes(
                    exchange.getRequestURI().getPath().endsWith("/datacenter")
                            ? new DatacenterInfo(TlsServer.DC1, List.of(), 0, List.of())
                            : new FleetList<>(List.of(), List.of()));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private String url() {
        return server.url().toString();
    }

    private int run(String input, String... arguments) {
        out.reset();
        err.reset();
        var environment = new Environment(
                Map.of("RINGMASTER_HOME", directory.resolve("home").toString(), "NO_COLOR", "1"),
                directory,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                false,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Program.run(COMMANDS, environment, arguments);
    }

    private int login() {
        return run(
                TOKEN + "\n",
                "login",
                url(),
                "--ca",
                Fingerprint.of(server.authority()).toString());
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_login_keeps_CA_and_token_for_the_URL() throws IOException {
        assertThat(login()).as(err()).isZero();
        assertThat(run("", "cluster", "list", "--server", url())).as(err()).isZero();
        assertThat(asked).containsExactly("Bearer " + TOKEN, "Bearer " + TOKEN);
        Path kept = directory.resolve("home/servers/127.0.0.1_" + server.port());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept.resolve("token"))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rwx------");
    }

    @Test
    void another_fingerprint_is_refused_before_anything_is_sent() {
        String other = "sha256:" + "0".repeat(64);
        assertThat(run(TOKEN, "login", url(), "--ca", other)).isEqualTo(3);
        assertThat(err()).contains(Fingerprint.of(server.authority()).toString(), "nothing was sent");
        assertThat(asked).isEmpty();
        assertThat(directory.resolve("home")).doesNotExist();
    }

    @Test
    void without_a_fingerprint_a_person_must_confirm_it() {
        assertThat(run(TOKEN, "login", url())).isEqualTo(3);
        assertThat(err()).contains("presents the CA " + Fingerprint.of(server.authority()), "add --ca");
        assertThat(asked).isEmpty();
    }

    @Test
    void a_server_with_another_CA_never_gets_the_token() throws IOException {
        assertThat(login()).as(err()).isZero();
        int port = server.port();
        server.close();
        asked.clear();
        listen("second", port, List.of("127.0.0.1"));
        assertThat(run("", "cluster", "list", "--server", url())).isEqualTo(4);
        assertThat(err()).contains("PKIX path building failed");
        assertThat(asked).isEmpty();
    }

    @Test
    void a_server_of_another_name_never_gets_the_token() throws IOException {
        server.close();
        listen("first", 0, List.of("10.9.9.9"));
        assertThat(login()).isEqualTo(4);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_server_that_nobody_logged_in_to_never_gets_a_token() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        assertThat(run("", "cluster", "list", "--server", url(), "--token-file", token.toString()))
                .isEqualTo(2);
        assertThat(err()).contains("the CA of " + url() + " is not known here", "ringmaster login " + url());
        assertThat(asked).isEmpty();
    }

    @Test
    void servers_of_this_computer_are_trusted_by_the_folder_trust() throws IOException {
        Path trust = Files.createDirectories(directory.resolve("home/trust"));
        Files.writeString(trust.resolve("dc1.pem"), Pem.text(server.authority()));
        Files.writeString(directory.resolve("home/token"), TOKEN);
        assertThat(run("", "cluster", "list", "--server", url())).as(err()).isZero();
        assertThat(asked).containsExactly("Bearer " + TOKEN);
    }

    @Test
    void a_token_leaves_this_computer_by_TLS_only() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        String elsewhere = "http://198.51.100.1:8080";
        assertThat(run("", "cluster", "list", "--server", elsewhere, "--token-file", token.toString()))
                .isEqualTo(2);
        assertThat(err()).contains(elsewhere + " is not on this computer", "without TLS");
        assertThat(run(TOKEN, "login", elsewhere)).isEqualTo(2);
    }
}
