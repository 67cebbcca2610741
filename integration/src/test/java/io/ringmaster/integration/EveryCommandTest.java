package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.VolumeState;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands and options that no other test on real nodes uses, and checks the effect where a user could see
 * one.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EveryCommandTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final int ROWS = 20;

    @TempDir
    static Path folder;

    private static Instant started;

    private static Playground playground;

    @BeforeAll
    static void start() throws IOException {
        started = Instant.now();
        playground = Playground.up(
                "--engine=ROCKSDB", "--spare-machines=1", "--tls", "--keep-data", "--keep-on-failure", "--timeout=12m");
        playground.whole(6, SOON);
        StringBuilder schema = new StringBuilder("CREATE KEYSPACE shop WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 3};\n"
                + "CREATE TABLE shop.sold (id int PRIMARY KEY, what text);\n"
                + "CREATE TABLE shop.kept (id int PRIMARY KEY, what text) WITH memtable = 'rocksdb';\n");
        for (int id = 0; id < ROWS; id++) {
            schema.append("INSERT INTO shop.sold (id, what) VALUES (" + id + ", 'a');\n"
                    + "INSERT INTO shop.kept (id, what) VALUES (" + id + ", 'b');\n");
        }
        Path file = Files.writeString(folder.resolve("schema.cql"), schema);
        playground.run("cql", "rides", "--file", file.toString(), "--timeout", "40s");
        playground.whole(6, SOON);
    }

    @AfterAll
    static void stop() {
        Playground.clear();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static void assertRows() {
        for (String table : List.of("sold", "kept")) {
            assertThat(playground.run("cql", "rides", "-o", "json", "-e", "SELECT count(*) AS n FROM shop." + table))
                    .as(table)
                    .containsPattern("\"n\": *\"?" + ROWS);
        }
    }

    private static String refused(String... command) {
        Playground.Result result = Playground.attempt(List.of(command));
        assertThat(result.exit()).as(result.output()).isNotZero();
        return result.output();
    }

    @Test
    @Order(1)
    void what_there_is_is_shown() {
        assertRows();
        assertThat(playground.run("version")).contains("Java");
        assertThat(playground.run("completion")).contains("complete -F _complete_ringmaster");
        assertThat(playground.run("operation", "list")).contains("garbage-collect", "upgradesstables");
        assertThat(playground.run("node", "list", "rides")).contains("dc1/node-2", "dc2/node-2");
        assertThat(playground.run("cluster", "spec", "rides", "--versions")).containsPattern("(?m)^ *1 ");
        assertThat(playground.run("cluster", "spec", "rides", "--version-number", "1"))
                .isEqualTo(playground.run("cluster", "spec", "rides"))
                .contains("cluster: rides");
        assertThat(playground.run("backup", "location", "list")).contains("local");
        assertThat(playground.run("audit", "--limit", "2", "-o", "json"))
                .satisfies(json -> assertThat(json.split("\"who\"", -1)).hasSize(3));
        assertThat(playground.run("lab", "list")).contains("response", "startup");
    }

    @Test
    @Order(2)
    void plans_are_listed_and_waited_for() {
        String plans = playground.run("plan", "list", "--cluster", "rides", "--all");
        Matcher first = Pattern.compile("dc1-\\d+").matcher(plans);
        assertThat(first.find()).as(plans).isTrue();
        assertThat(playground.run("plan", "show", first.group(), "--wait"))
                .contains("complete", "every node sees all 6 NORMAL");
        assertThat(playground.run("plan", "list", "--cluster", "nobody")).doesNotContain("rides");
    }

    @Test
    @Order(3)
    void the_machines_of_a_mix_are_estimated_for_this_computer_and_for_others() throws IOException {
        Path spec = Files.writeString(folder.resolve("rides.yaml"), playground.run("cluster", "spec", "rides"));
        assertThat(playground.run(
                        "machine",
                        "plan",
                        "--what-if",
                        spec.toString(),
                        "--machine",
                        "cpus=16,memory=64GiB,disk=1TiB",
                        "--racks",
                        "3"))
                .contains("dc1", "dc2");
        String doctor = Playground.attempt(List.of("doctor", "--heap", "128MiB", "--nodes", "1"))
                .output();
        assertThat(doctor).contains("memory");
    }

    @Test
    @Order(4)
    void the_pages_of_the_lab_are_written_again_from_its_figures() throws IOException {
        Path lab = Playground.ROOT.resolve("docs/lab");
        for (String file : List.of("response.json", "response.md")) {
            Files.copy(lab.resolve(file), folder.resolve(file));
        }
        Files.writeString(folder.resolve("response.md"), "old");
        playground.run("lab", "report", "response", "--out", folder.toString());
        assertThat(folder.resolve("response.md")).hasSameTextualContentAs(lab.resolve("response.md"));
    }

    @Test
    @Order(5)
    void a_cordon_keeps_its_reason_in_the_audit() {
        playground.run("machine", "cordon", "dc1/machine-4", "--reason", "its disk fails");
        assertThat(playground.run("machine", "list")).containsPattern("machine-4 .* cordoned");
        assertThat(playground.run("audit", "--limit", "5", "-o", "json")).contains("its disk fails");
        playground.run("machine", "uncordon", "dc1/machine-4");
        assertThat(playground.run("machine", "list")).doesNotContain("cordoned");
    }

    @Test
    @Order(5)
    void events_are_printed_until_the_given_time_and_again_after_one_of_them() {
        Path log = folder.resolve("events.log");
        Process events = Playground.start(List.of("events", "--cluster", "rides", "--for", "20s", "-o", "json"), log);
        Patience.until(
                "an event of a flush",
                SOON,
                () -> {
                    playground.run("cluster", "flush", "rides", "--yes", "--wait");
                    return Playground.text(log);
                },
                text -> text.lines().count() > 2);
        assertThat(events.onExit().orTimeout(1, TimeUnit.MINUTES).join().exitValue())
                .isZero();
        List<String> seen = Playground.text(log).lines().toList();
        String again = playground.run(
                "events", "--after", field(seen.get(0), "id"), "--cluster", "rides", "--for", "3s", "-o", "json");
        assertThat(again.lines()).containsAll(seen.subList(1, seen.size())).doesNotContain(seen.get(0));
    }

    @Test
    @Order(5)
    void a_token_is_made_used_and_revoked() throws IOException {
        String dry = playground.run(
                "token", "create", "ci", "--role", "viewer", "--clusters", "rid*", "--expires", "1d", "--dry-run");
        assertThat(dry).contains("nothing was created");
        assertThat(playground.run("token", "list")).startsWith("no tokens");
        String made = playground.run(
                "token", "create", "ci", "--role", "viewer", "--clusters", "rid*", "--expires", "1d", "-o", "json");
        String token = field(made, "token");
        Path file = Files.writeString(folder.resolve("token"), token);
        assertThat(playground.run("cluster", "list", "--token-file", file.toString()))
                .contains("rides");
        assertThat(refused("cluster", "restart", "rides", "--yes", "--token-file", file.toString()))
                .contains("viewer");
        Matcher id = Pattern.compile("dc1-\\w{8}").matcher(playground.run("token", "list", "-o", "json"));
        assertThat(id.find()).isTrue();
        playground.run("token", "revoke", id.group(), "--dry-run");
        playground.run("cluster", "list", "--token-file", file.toString());
        playground.run("token", "revoke", id.group());
        // reads need no token on this computer
        assertThat(refused("cluster", "restart", "rides", "--yes", "--token-file", file.toString()))
                .contains("token");
    }

    private static String field(String json, String name) {
        Matcher value = Pattern.compile('"' + name + "\" *: *\"([^\"]+)\"").matcher(json);
        assertThat(value.find()).as("%s in %s", name, json).isTrue();
        return value.group(1);
    }

    @Test
    @Order(6)
    void a_login_keeps_the_authority_whose_fingerprint_is_in_the_servers_log() throws IOException {
        Matcher fingerprint = Pattern.compile("sha256:\\w+").matcher(serverLog());
        assertThat(fingerprint.find()).isTrue();
        String server = playground.client("dc1").server().toString();
        String token = Playground.HOME.resolve("token").toString();
        assertThat(refused("login", server, "--ca", "sha256:" + "0".repeat(64), "--token-file", token))
                .contains("fingerprint");
        playground.run("login", server, "--ca", fingerprint.group(), "--token-file", token);
        assertThat(playground.run("cluster", "list", "--server", server)).contains("rides");
    }

    private static String serverLog() throws IOException {
        StringBuilder text = new StringBuilder();
        try (var files = Files.list(Playground.HOME.resolve("playground/dc1"))) {
            files.filter(f -> f.toString().endsWith(".log")).forEach(f -> text.append(Playground.text(f)));
        }
        return text.toString();
    }

    @Test
    @Order(7)
    void the_page_is_opened_through_a_tunnel_without_a_certificate() throws Exception {
        Path log = folder.resolve("web.log");
        Process web = Playground.start(List.of("web", "/clusters/rides", "--no-open", "--port", "9123"), log);
        try {
            String link = Patience.until("the link", SOON, () -> link(log), text -> !text.isEmpty());
            var page = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.ALWAYS)
                    .build()
                    .send(HttpRequest.newBuilder(URI.create(link)).build(), BodyHandlers.ofString());
            assertThat(link).startsWith("http://127.0.0.1:9123/");
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            assertThat(page.body()).contains("<html");
        } finally {
            web.descendants().forEach(ProcessHandle::destroy);
            web.destroy();
        }
    }

    private static String link(Path log) {
        Matcher found = Pattern.compile("http://127\\S+").matcher(Playground.text(log));
        return found.find() ? found.group() : "";
    }

    @Test
    @Order(8)
    void work_on_tables_takes_its_options() {
        playground.run("cluster", "garbage-collect", "rides", "--keyspaces", "shop", "--yes", "--wait");
        playground.run("node", "upgradesstables", "rides/dc1/node-0", "--yes", "--wait");
        String cleaned =
                playground.run("cluster", "cleanup", "rides", "--rack", "r1", "--jobs", "1", "--yes", "--wait");
        assertThat(cleaned).contains("node-0").doesNotContain("node-1");
        assertThat(playground.run(
                        "cluster",
                        "compare",
                        "rides",
                        "--dc",
                        "dc1",
                        "--from",
                        "dc2",
                        "--keyspaces",
                        "shop",
                        "--yes",
                        "--wait"))
                .contains("node-2");
        playground.run(
                "repair",
                "start",
                "rides",
                "--keyspace",
                "shop",
                "--parallelism",
                "sequential",
                "--within-dc",
                "true",
                "--yes",
                "--wait");
        playground.run("repair", "start", "rides", "--keyspace", "shop", "--yes", "--wait");
        String again =
                playground.run("repair", "start", "rides", "--keyspace", "shop", "--max-age", "1h", "--yes", "--wait");
        assertThat(again).contains("of them before");
        playground.run("cluster", "replicate-roles", "rides", "--yes", "--wait");
        assertRows();
    }

    @Test
    @Order(9)
    void racks_restart_one_after_another_with_a_probe_at_a_level_of_choice() {
        String restarted = playground.run(
                "cluster",
                "restart",
                "rides",
                "--dc",
                "dc2",
                "--parallel",
                "rack",
                "--consistency",
                "EACH_QUORUM",
                "--yes",
                "--wait");
        assertThat(restarted).contains("EACH_QUORUM");
        playground.whole(6, SOON);
        assertRows();
    }

    @Test
    @Order(10)
    void backups_are_kept_by_number_and_by_day_and_deleted_by_name() {
        for (int backup = 0; backup < 3; backup++) {
            playground.run(
                    "backup",
                    "create",
                    "rides",
                    "--to",
                    "local",
                    "--full",
                    "true",
                    "--keep-last",
                    "2",
                    "--keep-daily",
                    "1",
                    "--yes",
                    "--wait");
        }
        List<String> kept = backups();
        assertThat(kept).hasSize(2);
        playground.run(
                "backup",
                "delete",
                "rides",
                kept.get(0),
                "--from",
                "local",
                "--allow-silent-peers",
                "--timeout",
                "10m",
                "--yes",
                "--wait");
        assertThat(backups()).containsExactly(kept.get(1));
        playground.run("backup", "create", "rides", "--to", "local", "--yes", "--wait");
        playground.run(
                "cluster", "backup-delete", "rides", "--from", "local", "--backups", kept.get(1), "--yes", "--wait");
        assertThat(backups()).hasSize(1).doesNotContain(kept.get(1));
        assertThat(playground.run("backup", "list", "rides", "--from", "local")).contains(backups());
        assertThat(playground.run("restore", "start", "rides", "--as", "rides2", "--roles", "none", "--print-spec"))
                .contains("cluster: rides2", "roles: {}", "backup: " + backups().get(0));
    }

    /** Oldest first. */
    private static List<String> backups() {
        return playground.backups(Playground.RIDES, started).stream()
                .map(BackupInfo::id)
                .sorted()
                .toList();
    }

    @Test
    @Order(11)
    void a_step_that_waits_is_completed_by_force() {
        long before = playground.daemon("dc1", 0).pid();
        ProcessHandle hangs = playground.daemon("dc1", 2);
        Processes.signal("STOP", hangs);
        try {
            Patience.until("a node to be down", SOON, () -> playground.status().normal(), normal -> normal < 6);
            playground.run("cluster", "restart", "rides", "--node", "dc1/node-0", "--yes");
            String plan = Patience.until("the plan", SOON, EveryCommandTest::runningPlan, id -> !id.isEmpty());
            Patience.until(
                    "the wait", SOON, () -> playground.run("plan", "show", plan), shown -> shown.contains("waits"));
            playground.run("plan", "force-complete", plan, "--step", "dc1 node-0", "--yes");
            assertThat(playground.run("plan", "show", plan, "--wait"))
                    .contains("complete")
                    .contains("declared done by");
        } finally {
            Processes.signal("CONT", hangs);
        }
        playground.whole(6, SOON);
        assertThat(playground.daemon("dc1", 0).pid()).as("the daemon of node-0").isEqualTo(before);
    }

    /** Empty if no plan of dc1 runs. */
    private static String runningPlan() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .filter(p -> !p.status().isOver() && p.id().datacenter().value().equals("dc1"))
                .map(p -> p.id().toString())
                .findFirst()
                .orElse("");
    }

    @Test
    @Order(12)
    void a_node_moves_without_a_repair_and_the_volume_that_it_left_is_discarded() {
        playground.run("machine", "evacuate", "dc1/machine-1", "--skip-repair", "--yes", "--wait");
        assertThat(playground.machineOf("dc1", 0)).isEqualTo("machine-4");
        playground.run("machine", "uncordon", "dc1/machine-1");
        playground.run(
                "cluster",
                "evacuate",
                "rides",
                "--machine",
                "dc1/machine-4",
                "--skip-repair",
                "true",
                "--yes",
                "--wait");
        assertThat(playground.machineOf("dc1", 0)).isEqualTo("machine-1");
        playground.run("machine", "uncordon", "dc1/machine-4");
        String volume = field(playground.run("volume", "list", "-o", "json"), "id");
        playground.run("volume", "discard", "dc1/" + volume, "--dry-run");
        assertThat(volumes()).contains(volume);
        playground.run("volume", "discard", "dc1/" + volume, "--yes");
        Patience.until("the volume to be gone", SOON, EveryCommandTest::volumes, ids -> !ids.contains(volume));
        playground.whole(6, SOON);
        assertRows();
    }

    private static List<String> volumes() {
        return playground.client("dc1").volumes(Scope.LOCAL).items().stream()
                .map(VolumeState::id)
                .map(Object::toString)
                .toList();
    }

    @Test
    @Order(13)
    void a_dead_node_is_replaced_by_an_operation_of_its_cluster() {
        playground.run("playground", "slow", "dc2/machine-1", "--cpu", "60");
        playground.run("playground", "heal");
        playground.run("playground", "kill", "dc1/machine-1");
        Patience.until(
                "the plan of a replacement",
                SOON,
                () -> Playground.attempt(List.of("node", "replace", "rides/dc1/node-0", "--dry-run")),
                result -> result.exit() == 0);
        playground.run("cluster", "replace", "rides", "--node", "dc1/node-0", "--yes", "--wait");
        assertThat(playground.machineOf("dc1", 0)).isEqualTo("machine-4");
        playground.run("playground", "revive", "dc1/machine-1");
        playground.whole(6, SOON);
        assertRows();
    }

    @Test
    @Order(14)
    void kept_data_are_there_after_the_next_start() {
        playground.run("playground", "down", "--keep-data");
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
        playground.run("playground", "up", "--detach", "--timeout", "12m", "--spare-machines", "1");
        playground.whole(6, SOON);
        assertRows();
    }
}
