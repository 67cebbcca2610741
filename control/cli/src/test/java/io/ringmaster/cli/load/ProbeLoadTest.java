package io.ringmaster.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.cli.screen.Fleet;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.LoadScreen;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.cli.session.ServerCandidates;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.terminal.Abilities;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.PlanLoad;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in place of the load generator, and a server that only records requests. */
class ProbeLoadTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC =
            """
            {"cluster": "rides", "version": 1,
             "spec": {"name": "rides", "datacenters": [], "cassandraYaml": {}, "tls": %s, "roles": %s}}
            """;
    private static final String LOGIN =
            """
            {"user": "rm_anna_x7k2", "password": "the-secret-of-a-login", "ends": "2026-01-02T03:04:05Z"}
            """;
    private static final List<PlanId> PLANS = List.of(PlanId.of("dc1-7"), PlanId.of("dc2-4"));

    @TempDir
    private Path root;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> kept = Collections.synchronizedList(new ArrayList<>());
    private String tls = "null";
    private String roles = "null";
    private HttpServer server;
    private Session session;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (path.endsWith("/load")) {
                kept.add(path + " " + body);
            }
            byte[] answer = answer(path);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        var environment = new Environment(
                Map.of("RINGMASTER_HOME", root.toString()),
                root,
                new ByteArrayInputStream(new byte[0]),
                false,
                print,
                print);
        session = new Session(
                environment,
                new Console(print, print, Abilities.detect(true)),
                Format.TABLE,
                ServerCandidates.find(
                        "127.0.0.1:" + server.getAddress().getPort(), null, environment, LocalServers.NONE));
    }

    private byte[] answer(String path) {
        if (path.endsWith("/ca")) {
            return "the authorities".getBytes(StandardCharsets.UTF_8);
        } else if (path.endsWith("/logins")) {
            return LOGIN.getBytes(StandardCharsets.UTF_8);
        } else if (path.endsWith("/clusters/rides")) {
            return SPEC.formatted(tls, roles).getBytes(StandardCharsets.UTF_8);
        }
        return Json.bytes(path.endsWith("/load") ? Fleet.healthy().plans().get(0) : Fleet.healthy());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Prints a second at once, and each period with the given number of failed requests. */
    private void generator(int failedDuring) throws IOException {
        Path program = root.resolve("metronome/target/release/metronome");
        Files.createDirectories(program.getParent());
        Files.writeString(
                program,
                """
                #!/bin/bash
                echo "$@" >> %1$s/arguments
                while [ $# -gt 0 ]; do
                    case $1 in
                    --tls-ca | --password-file) stat -c '%%A %%n' "$2" >> %1$s/files; cat "$2" >> %1$s/content ;;
                    esac
                    shift
                done
                echo '{"second":0,"succeeded":200}'
                open=
                while read -r name; do
                    [ -z "$open" ] || tell
                    open=$name
                done
                tell
                """
                        .formatted(root)
                        .replace(
                                "open=\n",
                                """
                                open=
                                tell() {
                                    failed=0 errors=
                                    if [ $open = during ]; then
                                        failed=%d
                                        errors='{"class":"unavailable","code":4096,"example":"2 of 3","count":1}'
                                    fi
                                    [ $failed -gt 0 ] || errors=
                                    echo '{"period":"'$open'","seconds":6.0,"requests":1200,"failed":'$failed',"p50_ms":1.25,"max_ms":9.5,"errors":['"$errors"']}'
                                }
                                """
                                        .formatted(failedDuring)));
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void figures_of_each_datacenter_are_stored_with_every_plan_and_shown() throws Exception {
        generator(0);
        List<String> done = new ArrayList<>();
        ProbeLoad.of(session, session.client(), Duration.ofMillis(10)).run(RIDES, () -> done.add("work"), () -> PLANS);
        assertThat(done).containsExactly("work");
        assertThat(Files.readAllLines(root.resolve("arguments"))).hasSize(2).allSatisfy(a -> assertThat(a)
                .startsWith("probe pulse --periods --send-again --rate 200 --hosts ")
                .endsWith("--replication dc1:3,dc2:3"));
        assertThat(kept).hasSize(2);
        assertThat(kept.get(0)).startsWith("/api/v1/plans/dc1-7/load ");
        PlanLoad load = Json.parse(kept.get(1).substring("/api/v1/plans/dc2-4/load ".length()), PlanLoad.class);
        assertThat(load.parts()).hasSize(2).allSatisfy(part -> assertThat(part.during())
                .isEqualTo(new PlanLoad.Period(6, 1200, 0, 1.25, null, null, 9.5, null)));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("load: 200 requests a second in each datacenter")
                .containsPattern("dc2 during +1200 +0 +1\\.3 +- +- +9\\.5");
    }

    @Test
    void the_load_trusts_the_authorities_of_a_cluster_with_tls_for_clients() throws Exception {
        tls = "{\"internode\": \"REQUIRED\", \"clients\": \"OPTIONAL\"}";
        generator(0);
        ProbeLoad.of(session, session.client(), Duration.ofMillis(10)).run(RIDES, () -> {}, () -> PLANS);
        assertThat(Files.readAllLines(root.resolve("arguments")))
                .hasSize(2)
                .allSatisfy(a -> assertThat(a).contains(" --tls-ca ").doesNotContain("--user"));
        assertThat(root.resolve("content")).hasContent("the authorities".repeat(2));
    }

    @Test
    void the_load_logs_in_by_a_file_that_only_its_owner_can_read_and_that_is_gone_afterwards() throws Exception {
        roles = "[]";
        generator(0);
        ProbeLoad.of(session, session.client(), Duration.ofMillis(10)).run(RIDES, () -> {}, () -> PLANS);
        assertLoggedInByAFile();
    }

    @Test
    void the_file_with_the_password_is_gone_after_a_failure_too() throws Exception {
        roles = "[]";
        generator(0);
        Failure failure = new Failure(ExitCode.FAILED, "plan dc1-7 is failed", null);
        assertThatThrownBy(() -> ProbeLoad.of(session, session.client(), Duration.ofMillis(10))
                        .run(
                                RIDES,
                                () -> {
                                    throw failure;
                                },
                                () -> PLANS))
                .isSameAs(failure);
        assertLoggedInByAFile();
    }

    private void assertLoggedInByAFile() throws IOException {
        assertThat(Files.readAllLines(root.resolve("arguments"))).hasSize(2).allSatisfy(a -> assertThat(a)
                .contains(" --user rm_anna_x7k2 --password-file ")
                .doesNotContain("the-secret-of-a-login", "--tls-ca"));
        assertThat(root.resolve("content")).hasContent("the-secret-of-a-login".repeat(2));
        assertThat(Files.readAllLines(root.resolve("files"))).hasSize(2).allSatisfy(f -> {
            assertThat(f).startsWith("-rw------- ");
            assertThat(Path.of(f.substring(f.indexOf(' ') + 1))).doesNotExist();
        });
    }

    @Test
    void a_failed_request_fails_the_command_and_is_stored() throws Exception {
        generator(2);
        assertThatThrownBy(() -> ProbeLoad.of(session, session.client(), Duration.ofMillis(10))
                        .run(RIDES, () -> {}, () -> PLANS))
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo(ExitCode.FAILED))
                .hasMessage("done, but 4 of 7200 requests of the load failed: unavailable: 2 of 3");
        assertThat(kept).hasSize(2);
    }

    @Test
    void the_load_of_failed_work_is_stored() throws Exception {
        generator(0);
        Failure failure = new Failure(ExitCode.FAILED, "plan dc1-7 is failed", null);
        assertThatThrownBy(() -> ProbeLoad.of(session, session.client(), Duration.ofMillis(10))
                        .run(
                                RIDES,
                                () -> {
                                    throw failure;
                                },
                                () -> PLANS))
                .isSameAs(failure);
        assertThat(kept).hasSize(2);
    }

    @Test
    void without_the_generator_the_error_names_its_build_command() {
        assertThatThrownBy(() -> ProbeLoad.of(session, session.client(), Duration.ofMillis(10)))
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.nextStep())
                        .isEqualTo("cargo build --release --manifest-path " + root + "/metronome/Cargo.toml"))
                .hasMessageContaining("nothing was changed");
    }

    @Test
    void an_error_of_the_generator_is_quoted_and_nothing_is_changed() throws Exception {
        Path program = root.resolve("metronome/target/release/metronome");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/bash\necho 'metronome: connection refused' >&2\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        List<String> done = new ArrayList<>();
        assertThatThrownBy(() -> ProbeLoad.of(session, session.client(), Duration.ofMillis(10))
                        .run(RIDES, () -> done.add("work"), () -> PLANS))
                .hasMessageContaining("metronome: connection refused");
        assertThat(done).isEmpty();
        assertThat(kept).isEmpty();
    }

    @Test
    void a_failed_load_shows_the_error() {
        var good = new PlanLoad.Period(6, 1200, 0, 1.0, 2.0, 3.0, 4.0, null);
        var bad = new PlanLoad.Period(6, 1200, 1, 1.0, 2.0, 3.0, 4.0, "unavailable: 2 of 3");
        var load = new PlanLoad(
                "a load", Instant.EPOCH, List.of(new PlanLoad.Part(new DatacenterName("dc1"), good, bad, good)));
        assertThat(LoadScreen.of(List.of(load), 100).stream().map(Line::plain))
                .last()
                .isEqualTo("    failed: unavailable: 2 of 3");
    }
}
