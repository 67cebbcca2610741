package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A new cluster with roles, one node in each of two datacenters. */
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolesTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final Duration CACHED = Duration.ofSeconds(30);
    private static final ClusterName GUARDED = new ClusterName("guarded");
    private static final String FIRST = "first-password-of-app-4711";
    private static final String SECOND = "second-password-of-app-0815";
    private static final String OPEN =
            """
            cluster: guarded
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 1, seeds: 1}, dc2: {nodes: 1, seeds: 1}}
            node: {cpus: 0.5, memory: 768MiB, heap: 192MiB, disk: 2GiB}
            jvm: {collector: serial, options: []}
            """;
    private static final String SPEC = OPEN
            + """
            roles:
              writers: {grants: ["SELECT, MODIFY ON KEYSPACE trips"]}
              app: {login: true, password: {file: app-1}, member_of: [writers]}
              anna: {login: true, superuser: true, password: generated}
            """;

    private static final List<String> PROGRAMS = List.of(".jar", ".jsa");

    /** Attempts that a node let in, by what was tried. */
    private static final Map<String, Integer> LET_IN = new ConcurrentHashMap<>();

    private static final AtomicInteger REFUSED = new AtomicInteger();
    private static Playground playground;
    private static Thread intruder;

    @BeforeAll
    static void a_cluster_with_roles_in_two_datacenters() throws IOException {
        playground = Playground.up("--nodes", "1");
        password("app-1", FIRST);
        password("app-2", SECOND);
        intruder = new Thread(RolesTest::tryAll, "intruder");
        intruder.setDaemon(true);
        intruder.start();
        playground.client("dc1").apply(GUARDED, SPEC, 0L, ChangeOptions.APPLY);
        playground.whole(GUARDED, 2, SOON);
    }

    @AfterAll
    static void stop() {
        intruder.interrupt();
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static void password(String name, String text) throws IOException {
        Path folder = Files.createDirectories(state("dc1").resolve("passwords/" + GUARDED));
        Files.deleteIfExists(folder.resolve(name)); // of a run that broke off
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text + "\n");
    }

    private static Path state(String datacenter) {
        return Playground.HOME.resolve("playground").resolve(datacenter);
    }

    private static void tryAll() {
        while (!Thread.currentThread().isInterrupted()) {
            for (String datacenter : List.of("dc1", "dc2")) {
                tryAt(playground.allocation(GUARDED, datacenter, 0));
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void tryAt(Path allocation) {
        if (!Files.exists(allocation.resolve("volume/conf/cassandra.yaml"))) {
            return;
        }
        try {
            InetSocketAddress endpoint = CqlPort.of(allocation).endpoint();
            count("nobody", CqlLoginAttempt.anonymous(endpoint));
            count("cassandra", CqlLoginAttempt.as(endpoint, "cassandra", "cassandra"));
        } catch (IOException | UncheckedIOException | AssertionError closed) {
            // the port is not open, or its configuration is being written
        }
    }

    private static void count(String who, boolean letIn) {
        if (letIn) {
            LET_IN.merge(who, 1, Integer::sum);
        } else {
            REFUSED.incrementAndGet();
        }
    }

    private static CqlSession session(String user, String password, String datacenter) {
        return CqlSession.builder()
                .addContactPoint(CqlPort.of(playground.allocation(GUARDED, datacenter, 0))
                        .endpoint())
                .withLocalDatacenter(datacenter)
                .withAuthCredentials(user, password)
                .build();
    }

    private static boolean letsIn(String user, String password) throws IOException {
        return CqlLoginAttempt.as(
                CqlPort.of(playground.allocation(GUARDED, "dc2", 0)).endpoint(), user, password);
    }

    @Test
    @Order(1)
    void the_shell_logs_in_by_itself() {
        String made = playground.run(
                "cql",
                "guarded",
                "-e",
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1};"
                        + " CREATE TABLE trips.places (id int PRIMARY KEY);"
                        + " SELECT role FROM system_auth.roles");
        assertThat(made).contains("app", "anna", "writers", "rm_");
    }

    @Test
    @Order(2)
    void a_declared_role_can_do_what_it_says_and_nothing_else() {
        try (CqlSession app = session("app", FIRST, "dc2")) {
            app.execute("INSERT INTO trips.places (id) VALUES (1)");
            assertThat(app.execute("SELECT id FROM trips.places").all()).hasSize(1);
            assertThatThrownBy(() -> app.execute("DROP TABLE trips.places")).isInstanceOf(UnauthorizedException.class);
            assertThatThrownBy(() -> app.execute("SELECT * FROM system_auth.roles"))
                    .isInstanceOf(UnauthorizedException.class);
        }
    }

    @Test
    @Order(3)
    void an_admin_reads_a_generated_password() throws IOException {
        String password =
                playground.run("cluster", "password", "guarded", "anna").strip();
        assertThat(letsIn("anna", password)).isTrue();
        Path file = Files.writeString(Playground.HOME.resolve("anna.password"), password + "\n");
        String name = playground.run(
                "cql",
                "guarded",
                "--user",
                "anna",
                "--password-file",
                file.toString(),
                "-e",
                "SELECT cluster_name FROM system.local");
        assertThat(name).contains("guarded");
        Files.delete(file);
    }

    @Test
    @Order(4)
    void login_cannot_be_turned_off() {
        assertThatThrownBy(() ->
                        playground.client("dc1").apply(GUARDED, OPEN + "roles: off\n", null, ChangeOptions.DRY_RUN))
                .hasMessageContaining("login cannot be turned off");
        assertThat(playground
                        .client("dc1")
                        .apply(GUARDED, OPEN, null, ChangeOptions.DRY_RUN)
                        .changed())
                .as("a change by a text that says nothing of roles")
                .isFalse();
    }

    @Test
    @Order(5)
    void a_rotated_password_and_a_dropped_role_take_effect_without_a_restart() throws IOException {
        assertThat(letsIn("app", FIRST)).isTrue();
        String daemon = daemon();
        String rotated = SPEC.replace("app-1", "app-2").replaceFirst("(?m)^  anna:.*\n", "");
        playground.client("dc1").apply(GUARDED, rotated, null, ChangeOptions.APPLY);
        playground.whole(GUARDED, 2, SOON);
        Patience.until("the new password to be let in", CACHED, () -> letIn("app", SECOND), letIn -> letIn);
        Patience.until("the former password to be refused", CACHED, () -> letIn("app", FIRST), letIn -> !letIn);
        assertThat(daemon()).isEqualTo(daemon);
        assertThat(playground.run("cql", "guarded", "-e", "SELECT role FROM system_auth.roles"))
                .doesNotContain("anna");
    }

    private static boolean letIn(String user, String password) {
        try {
            return letsIn(user, password);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String daemon() {
        return Processes.mentioning(
                        "companion.Launch",
                        playground.allocation(GUARDED, "dc1", 0).toString())
                .toString();
    }

    @Test
    @Order(6)
    void nobody_was_let_in_without_a_declared_role() {
        assertThat(LET_IN).isEmpty();
        assertThat(REFUSED.get()).isPositive();
    }

    @Test
    @Order(7)
    void passwords_are_in_no_file_and_in_no_process_but_where_they_belong() throws IOException {
        TreeSet<String> found = new TreeSet<>();
        Path passwords = state("dc1").resolve("passwords");
        Files.walkFileTree(Playground.HOME, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.equals(passwords) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                boolean program = PROGRAMS.stream().anyMatch(file.toString()::endsWith);
                if (!program && attributes.isRegularFile() && holdsPassword(file)) {
                    found.add(file.toString());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException deletedMeanwhile) {
                return FileVisitResult.CONTINUE;
            }
        });
        for (ProcessHandle process : Processes.mentioning(Playground.HOME.toString())) {
            for (String what : List.of("cmdline", "environ")) {
                Path file = Path.of("/proc", Long.toString(process.pid()), what);
                if (holdsPassword(file)) {
                    found.add(file.toString());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static boolean holdsPassword(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return text.contains(FIRST) || text.contains(SECOND);
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    @Order(8)
    void roles_that_somebody_changed_by_cql_are_shown_and_written_again() {
        cql("ALTER ROLE app WITH LOGIN = false; REVOKE MODIFY ON KEYSPACE trips FROM writers;"
                + " CREATE ROLE eve WITH SUPERUSER = true");
        awaitStatus(
                "app cannot log in",
                "writers lacks MODIFY ON KEYSPACE trips",
                "superusers that the spec does not declare: eve",
                "cluster write-roles guarded");
        writeRolesAgain();
        Patience.until("app to log in again", CACHED, () -> letIn("app", SECOND), letIn -> letIn);
        cql("DROP ROLE eve; ALTER ROLE app WITH PASSWORD = 'one-that-nobody-declared'");
        String password = awaitStatus("app has another password");
        assertThat(password).doesNotContain("log in", "lacks", "eve");
        writeRolesAgain();
        Patience.until("the declared password to be let in", CACHED, () -> letIn("app", SECOND), letIn -> letIn);
        try (CqlSession app = session("app", SECOND, "dc2")) {
            app.execute("INSERT INTO trips.places (id) VALUES (2)");
        }
        assertThat(playground.run("cluster", "status", "guarded")).doesNotContain("another password");
    }

    private static void cql(String statements) {
        playground.run("cql", "guarded", "-e", statements);
    }

    private static void writeRolesAgain() {
        playground.run("cluster", "write-roles", "guarded", "--yes", "--wait");
    }

    /** The status in one line, once it has all of these. */
    private static String awaitStatus(String... parts) {
        return Patience.until(
                "the status to show " + List.of(parts),
                SOON,
                () -> playground.run("cluster", "status", "guarded").replaceAll("\\s+", " "),
                status -> List.of(parts).stream().allMatch(status::contains));
    }
}
