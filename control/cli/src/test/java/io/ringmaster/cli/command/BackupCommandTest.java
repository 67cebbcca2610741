package io.ringmaster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.cli.CommandSet;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.LocationInfo;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.ProblemDetails;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a small HTTP server that answers as Ringmaster's does. */
class BackupCommandTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String OLD = "20261122T040000Z-3f9c";
    private static final String OLDER = "20261121T040000Z-77aa";
    private static final String DELETE = "/api/v1/clusters/rides/operations/backup-delete";
    private static final String ADD = "/api/v1/backup-locations/main";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private Path locations;

    @TempDir
    private Path home;

    @BeforeEach
    void serve() throws IOException {
        locations = Files.createDirectory(home.resolve("locations"));
        Files.writeString(home.resolve("s3.key"), "secret_access_key: hidden\n");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var local = new LocationInfo("local", "file:///backups", null, null);
        answer("/api/v1/backup-locations", 200, new LocationInfo.Directory(locations.toString(), List.of(local)));
        answer("/api/v1/backup-locations/local/backups", 200, List.of(backup(22), backup(24)));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static BackupInfo backup(int day) {
        Instant at = Instant.parse("2026-11-" + day + "T04:00:02Z");
        String id = "202611" + day + "T040000Z-3f9c";
        return new BackupInfo(RIDES, "dc1-1-0a", id, at, at.plusMillis(800), 6, 3L << 30, 512L << 20, null);
    }

    private void answer(String path, int status, Object body) {
        server.createContext(path, exchange -> {
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + sent);
            byte[] bytes = Json.bytes(body);
            exchange.getResponseHeaders()
                    .add("Content-Type", status < 300 ? "application/json" : ProblemDetails.MEDIA_TYPE);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private int run(String... arguments) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        var environment = new Environment(
                Map.of("RINGMASTER_SERVER", url, "RINGMASTER_HOME", home.toString()),
                home,
                new ByteArrayInputStream(new byte[0]),
                false,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        var commands = new CommandSet(List.of(BackupCommand.class, RestoreCommand.class), List.of(), LocalServers.NONE);
        return Program.run(commands, environment, arguments);
    }

    private int add(String... more) {
        List<String> words = new ArrayList<>(List.of("backup", "location", "add", "main", "--url", "s3://b"));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void backups_of_all_locations_are_listed_newest_first() {
        assertThat(run("backup", "list", "rides")).isZero();
        assertThat(out().lines().skip(1).map(l -> l.split("\\s+", -1)[1]))
                .containsExactly("20261124T040000Z-3f9c", "20261122T040000Z-3f9c");
        assertThat(out()).contains("3 GiB", "512 MiB", "2026-11-24T04:00:02Z");
    }

    @Test
    void a_damaged_backup_is_listed_with_its_problem_and_the_newest_sound_one_is_taken() {
        Instant at = Instant.parse("2026-11-25T04:00:00Z");
        var damaged = BackupInfo.damaged(RIDES, "dc1-1-0a", "20261125T040000Z-3f9c", at, "its .ok has another hash");
        server.removeContext("/api/v1/backup-locations/local/backups");
        answer("/api/v1/backup-locations/local/backups", 200, List.of(damaged, backup(24)));
        var details = new BackupInfo.Details(backup(24), "cluster: rides\n", List.of());
        answer("/api/v1/backup-locations/local/backups/rides/dc1-1-0a/20261124T040000Z-3f9c", 200, details);
        assertThat(run("backup", "list", "rides")).isZero();
        assertThat(out())
                .containsPattern("20261125T040000Z-3f9c +local +damaged")
                .contains("20261125T040000Z-3f9c in local: its .ok has another hash");
        assertThat(run("backup", "show", "rides")).isZero();
        assertThat(out()).contains("20261124T040000Z-3f9c  rides in local");
        assertThat(err()).contains("skips 20261125T040000Z-3f9c in local: its .ok has another hash");
        assertThat(run("backup", "show", "rides", "20261125T040000Z-3f9c")).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).contains("rides has no undamaged backup 20261125T040000Z-3f9c in local");
    }

    @Test
    void a_backup_of_the_future_is_named_and_is_not_the_newest() {
        Instant at = Instant.parse("2026-11-25T04:00:00Z");
        String id = "29991125T040000Z-3f9c";
        var future = new BackupInfo(RIDES, "dc1-1-0a", id, at, at, 3, 7L << 30, 1 << 20);
        server.removeContext("/api/v1/backup-locations/local/backups");
        answer("/api/v1/backup-locations/local/backups", 200, List.of(future, backup(24)));
        var details = new BackupInfo.Details(backup(24), "cluster: rides\n", List.of());
        answer("/api/v1/backup-locations/local/backups/rides/dc1-1-0a/20261124T040000Z-3f9c", 200, details);
        assertThat(run("backup", "list", "rides")).isZero();
        assertThat(out()).contains(id + " in local is of the future: a clock was wrong");
        assertThat(run("backup", "show", "rides")).isZero();
        assertThat(out()).contains("20261124T040000Z-3f9c  rides in local");
        assertThat(err()).contains("skips " + id + " in local, which is of the future by this computer's clock");
    }

    @Test
    void the_newest_backup_is_shown_unless_one_is_named() {
        var details = new BackupInfo.Details(
                backup(24),
                "cluster: rides\n",
                List.of(new BackupInfo.Node("dc1/node-0", "r1", 1L << 30, 212, 96L << 20)));
        answer("/api/v1/backup-locations/local/backups/rides/dc1-1-0a/20261124T040000Z-3f9c", 200, details);
        assertThat(run("backup", "show", "rides")).isZero();
        assertThat(out()).contains("20261124T040000Z-3f9c", "within 0.8 s", "dc1/node-0", "212");
        assertThat(run("backup", "show", "rides", "20250101T000000Z-0000")).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).contains("rides has no backup 20250101T000000Z-0000 in local");
    }

    @Test
    void a_restore_applies_the_spec_of_the_newest_backup_under_another_name() {
        String spec =
                """
                cluster: rides # ours
                cassandra: 5.0.9
                datacenters:
                  dc1: {nodes: 3}
                node: {cpus: 0.5, memory: 1GiB}
                restore: {from: old, cluster: older, incarnation: dc1-0, backup: 20250101T000000Z-0000}
                """;
        var details = new BackupInfo.Details(backup(24), spec, List.of());
        answer("/api/v1/backup-locations/local/backups/rides/dc1-1-0a/20261124T040000Z-3f9c", 200, details);
        var draft = new ChangeAnswer(new ClusterName("rides2"), 1, true, true, List.of(), List.of());
        answer("/api/v1/clusters/rides2", 200, draft);
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--dry-run"))
                .as(err())
                .isZero();
        assertThat(asked)
                .filteredOn(a -> a.startsWith("PUT /api/v1/clusters/rides2"))
                .singleElement()
                .asString()
                .contains("cluster: rides2", "5.0.9", "cpus: 0.5", "from: local", "incarnation: dc1-1-0a")
                .contains("backup: 20261124T040000Z-3f9c")
                .doesNotContain("older");
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--backup", "20250101T000000Z-0000"))
                .isEqualTo(ExitCode.REFUSED.number());
        assertThat(run("restore", "start", "rides")).isEqualTo(ExitCode.USAGE.number());
    }

    private void answerGuarded() {
        String spec = "cluster: rides\nroles: {app: {login: true, password: {file: app-1}}}\nnode: {cpus: 0.5}\n";
        var details = new BackupInfo.Details(backup(24), spec, List.of());
        answer("/api/v1/backup-locations/local/backups/rides/dc1-1-0a/20261124T040000Z-3f9c", 200, details);
        var draft = new ChangeAnswer(new ClusterName("rides2"), 1, true, true, List.of(), List.of());
        answer("/api/v1/clusters/rides2", 200, draft);
    }

    @Test
    void a_restore_keeps_the_roles_of_the_spec_or_lets_nobody_in() {
        answerGuarded();
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--dry-run"))
                .isZero();
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--roles", "none", "--dry-run"))
                .as(err())
                .isZero();
        List<String> applied = asked.stream().filter(a -> a.startsWith("PUT")).toList();
        assertThat(applied.get(0)).contains("file: app-1");
        assertThat(applied.get(1)).contains("roles: {}", "cpus: 0.5").doesNotContain("app");
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--roles", "some"))
                .isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void a_restore_prints_its_spec_and_changes_nothing() {
        answerGuarded();
        assertThat(run("restore", "start", "rides", "--as", "rides2", "--roles", "none", "--print-spec"))
                .isZero();
        assertThat(out()).startsWith("cluster: rides2\n").contains("roles: {}\n", "backup: 20261124T040000Z-3f9c\n");
        assertThat(asked).noneMatch(a -> a.startsWith("PUT"));
    }

    @Test
    void backups_are_deleted_by_their_ids_from_the_location_that_is_named() {
        var params = Map.of("from", "local", "backups", OLD + "," + OLDER);
        var request = new Request(
                RequestId.of("dc1-r7"),
                RIDES,
                "dc1-1-0a",
                "backup-delete",
                LockScope.BACKUP,
                params,
                "anna",
                "",
                Instant.EPOCH,
                List.of(new DatacenterName("dc1")));
        answer(DELETE, 200, new OperationAnswer(request, true, List.of(), List.of()));
        assertThat(run("backup", "delete", "rides", OLD, OLDER, "--from", "local", "--dry-run"))
                .as(err())
                .isZero();
        assertThat(asked)
                .singleElement()
                .asString()
                .startsWith("POST " + DELETE + "?dryRun=true")
                .contains("\"from\":\"local\"", "\"backups\":\"" + OLD + "," + OLDER + "\"");
        assertThat(run("backup", "delete", "rides", OLD, OLDER, "--from", "local", "--yes", "-o", "json"))
                .isZero();
        assertThat(asked).hasSize(3);
        assertThat(out()).contains("\"backup-delete\"");
        assertThat(run("backup", "delete", "rides", "--from", "local")).isEqualTo(ExitCode.USAGE.number());
        assertThat(run("backup", "delete", "rides", OLD)).isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void what_the_server_refuses_to_delete_is_shown_with_its_reason() {
        Problem problem = Problem.field(
                ErrorCode.OPERATION_UNSAFE, "backups", OLD + " is the newest complete backup, which is never deleted");
        answer(DELETE, 422, ProblemDetails.of(422, "/", List.of(problem)));
        assertThat(run("backup", "delete", "rides", OLD, "--from", "local", "--yes"))
                .isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).contains(OLD + " is the newest complete backup");
        assertThat(asked).hasSize(1);
    }

    @Test
    void credentials_go_into_a_private_file_and_not_into_a_request() throws IOException {
        answer(ADD, 200, new LocationInfo("main", "s3://b", null, null));
        assertThat(add("--credentials-file", home.resolve("s3.key").toString())).isZero();
        Path key = locations.resolve("main.key");
        assertThat(Files.readString(key)).contains("hidden");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(asked)
                .anyMatch(a -> a.startsWith("POST " + ADD) && a.contains("\"file:main.key\""))
                .noneMatch(a -> a.contains("hidden"));
    }

    @Test
    void a_refused_location_leaves_no_credentials() {
        Problem problem = Problem.of(ErrorCode.REQUEST_INVALID, "main: url: must be s3://BUCKET/PREFIX");
        answer(ADD, 400, ProblemDetails.of(400, "/", List.of(problem)));
        assertThat(add("--credentials-file", home.resolve("s3.key").toString())).isEqualTo(ExitCode.REFUSED.number());
        assertThat(locations.resolve("main.key")).doesNotExist();
    }

    @Test
    void a_server_elsewhere_gets_its_credentials_from_a_person() throws IOException {
        Files.delete(locations);
        assertThat(add("--credentials-file", home.resolve("s3.key").toString())).isEqualTo(ExitCode.REFUSED.number());
        assertThat(err()).contains("copy ", "main.key on the server's computer, chmod 600, then: ");
        assertThat(asked).noneMatch(a -> a.startsWith("POST"));
    }
}
