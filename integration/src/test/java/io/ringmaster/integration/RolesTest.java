package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * A new cluster with roles, three nodes in its first datacenter and one in the second; and one with two nodes in its
 * first datacenter, where each restart leaves one of two replicas of the roles.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolesTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final Duration CACHED = Duration.ofSeconds(30);
    private static final ClusterName GUARDED = new ClusterName("guarded");
    private static final String FIRST = "first-password-of-app-4711";
    private static final String PAIRED = "password-of-a-pair-0815";
    private static final String SECOND = "second-password-of-app-0815";
    private static final String OPEN =
            """
            cluster: guarded
            cassandra: 5.0.9
            preset: production
            datacenters: {dc1: {nodes: 3, seeds: 2}, dc2: {nodes: 1, seeds: 1}}
            node: {cpus: 0.5, memory: 768MiB, heap: 192MiB, disk: 2GiB}
            """
                    + TwoCores.SPEC;
    private static final String SPEC = OPEN
            + """
            roles:
              writers: {grants: ["SELECT, MODIFY ON KEYSPACE trips"]}
              app: {login: true, password: {file: app-1}, member_of: [writers]}
              anna: {login: true, superuser: true, password: generated}
            """;

    private static final ClusterName PAIR = new ClusterName("pair");

    /** A node that has just restarted knows only permissions on tables while it cannot read again: docs/roles.md. */
    private static final String PAIR_SPEC =
            """
            cluster: pair
            cassandra: 5.0.9
            preset: production
            datacenters: {dc1: {nodes: 2, seeds: 1}, dc2: {nodes: 1, seeds: 1}}
            node: {cpus: 0.25, memory: 768MiB, heap: 192MiB, disk: 1GiB}
            roles:
              app: {login: true, password: {file: app-1}, grants: ["SELECT, MODIFY ON TABLE trips.places"]}
            """
                    + TwoCores.SPEC;

    private static final int NODES = 4;
    private static Playground playground;
    private static Intruder intruder;

    @BeforeAll
    static void a_cluster_with_roles_in_two_datacenters() throws IOException {
        playground = Playground.up("--nodes", "1", "--spare-machines", "2");
        password(GUARDED, "app-1", FIRST);
        password(GUARDED, "app-2", SECOND);
        password(PAIR, "app-1", PAIRED);
        intruder = new Intruder(Stream.concat(
                        IntStream.range(0, 3).mapToObj(i -> playground.allocation(GUARDED, "dc1", i)),
                        Stream.of(playground.allocation(GUARDED, "dc2", 0)))
                .toList());
        playground.client("dc1").apply(GUARDED, SPEC, 0L, ChangeOptions.APPLY);
        playground.client("dc1").apply(PAIR, PAIR_SPEC, 0L, ChangeOptions.APPLY);
        playground.whole(GUARDED, NODES, SOON);
    }

    @AfterAll
    static void stop() {
        intruder.close();
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static void password(ClusterName cluster, String name, String text) throws IOException {
        Path folder = Files.createDirectories(state("dc1").resolve("passwords/" + cluster));
        Files.deleteIfExists(folder.resolve(name)); // of a run that broke off
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text + "\n");
    }

    private static Path state(String datacenter) {
        return Playground.HOME.resolve("playground").resolve(datacenter);
    }

    private static CqlSession session(String user, String password, String datacenter) {
        return session(GUARDED, user, password, datacenter);
    }

    private static CqlSession session(ClusterName cluster, String user, String password, String datacenter) {
        var session = CqlSession.builder().withLocalDatacenter(datacenter);
        CqlAccess.as(playground.client("dc1"), cluster, user, password).applyTo(session);
        return session.addContactPoint(CqlPort.of(playground.allocation(cluster, datacenter, 0))
                        .endpoint())
                .build();
    }

    private static boolean letsIn(String user, String password) throws IOException {
        return CqlLoginAttempt.as(
                CqlPort.of(playground.allocation(GUARDED, "dc2", 0)).endpoint(), user, password);
    }

    @Test
    @Order(0)
    void nobody_is_let_in_before_the_roles_are_there_and_no_default_superuser_ever() {
        Patience.until("an attempt at each node", SOON, () -> intruder.refused().size(), nodes -> nodes == NODES);
        intruder.close();
        assertThat(intruder.surprises()).isEmpty();
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
        assertThat(made).contains("app", "anna", "writers").containsOnlyOnce("rm_");
        String again = playground.run("cql", "guarded", "-e", "SELECT role FROM system_auth.roles");
        assertThat(again).as("the login of the first command is gone").containsOnlyOnce("rm_");
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
        Patience.until("the password to be let in", CACHED, () -> letIn("anna", password), letIn -> letIn);
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
        Patience.until("the first password to be let in", CACHED, () -> letIn("app", FIRST), letIn -> letIn);
        String daemon = daemon();
        String rotated = SPEC.replace("app-1", "app-2").replaceFirst("(?m)^  anna:.*\n", "");
        playground.client("dc1").apply(GUARDED, rotated, null, ChangeOptions.APPLY);
        playground.whole(GUARDED, NODES, SOON);
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
    void every_datacenter_has_up_to_three_replicas_of_the_roles_and_still_no_default_superuser() throws IOException {
        assertThat(playground.run(
                        "cql",
                        "guarded",
                        "-e",
                        "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'system_auth'"))
                .contains("'dc1':'3'", "'dc2':'1'");
        assertThat(letsIn("cassandra", "cassandra")).isFalse();
    }

    @Test
    @Order(7)
    void secrets_are_in_no_place_but_where_they_belong() throws Exception {
        CqlLogin login = playground.client("dc1").cqlLogin(GUARDED);
        TokenAnswer token = playground
                .client("dc1")
                .createToken(new TokenAsk("planted", Role.ADMIN, ClusterPattern.ALL, 3600), false);
        List<PlantedSecret> secrets = new ArrayList<>(PlantedSecret.madeIn(Playground.HOME));
        assertThat(secrets)
                .extracting(PlantedSecret::name)
                .as("what was made or given: both passwords of app, that of anna, tokens, and those of ZooKeeper")
                .anyMatch(name -> name.endsWith("passwords/guarded/app-1"))
                .anyMatch(name -> name.endsWith("passwords/guarded/app-2"))
                .anyMatch(name -> name.contains("dc1/secrets/guarded/"))
                .anyMatch(name -> name.endsWith("dc2/zookeeper/secret"))
                .anyMatch(name -> name.endsWith("guarded-dc2-node-0/token"));
        secrets.add(PlantedSecret.of("the password of " + login.user(), login.password()));
        secrets.add(PlantedSecret.ofToken(Objects.requireNonNull(token.token())));
        var search = new SecretSearch(secrets);
        try (CqlSession session = session(login.user(), login.password(), "dc1")) {
            session.execute("SELECT * FROM system_auth.roles")
                    .forEach(row -> search.text("system_auth.roles", row.getFormattedContents()));
        }
        assertThat(search.everything(playground, List.of("dc1", "dc2")).found()).isEmpty();
    }

    @Test
    @Order(8)
    void roles_that_somebody_changed_by_cql_are_shown_and_written_again() {
        cql("ALTER ROLE app WITH PASSWORD = 'one-that-nobody-declared'; ALTER ROLE writers WITH LOGIN = true;"
                + " REVOKE MODIFY ON KEYSPACE trips FROM writers;"
                + " CREATE ROLE eve WITH SUPERUSER = true");
        awaitStatus(
                "app has another password",
                "writers can log in",
                "writers lacks MODIFY ON KEYSPACE trips",
                "superusers that the spec does not declare: eve",
                "cluster write-roles guarded");
        playground.run("cluster", "write-roles", "guarded", "--yes", "--wait");
        Patience.until("the declared password to be let in", CACHED, () -> letIn("app", SECOND), letIn -> letIn);
        try (CqlSession app = session("app", SECOND, "dc2")) {
            Patience.until(
                    "the permission that was written again",
                    CACHED,
                    () -> app.execute("INSERT INTO trips.places (id) VALUES (2)")
                            .wasApplied(),
                    applied -> applied);
        }
        cql("DROP ROLE eve; ALTER ROLE app WITH LOGIN = false");
        assertThat(awaitStatus("app cannot log in"))
                .as("a report that is newer than what was written")
                .doesNotContain("can log in", "another password", "lacks", "does not declare");
    }

    @Test
    @Order(9)
    void an_open_session_is_served_while_each_of_two_nodes_restarts() {
        playground.whole(PAIR, 3, SOON);
        playground.run(
                "cql",
                "pair",
                "-e",
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 1};"
                        + " CREATE TABLE trips.places (id int PRIMARY KEY)");
        try (CqlSession app = session(PAIR, "app", PAIRED, "dc1");
                SteadyReader load = new SteadyReader(app, RolesTest::insert)) {
            playground.run("cluster", "restart", "pair", "--dc", "dc1", "--yes", "--wait");
            load.assertServed();
        }
    }

    /** At LOCAL_ONE, as the driver does by default. */
    private static SimpleStatement insert(int id) {
        return SimpleStatement.newInstance("INSERT INTO trips.places (id) VALUES (?)", id)
                .setIdempotent(true);
    }

    @Test
    @Order(10)
    void a_datacenter_leaves_with_its_replicas_of_the_roles_and_comes_back() {
        String dc1 = PAIR_SPEC.replace(", dc2: {nodes: 1, seeds: 1}", "");
        playground.client("dc1").apply(PAIR, dc1, null, ChangeOptions.APPLY);
        CqlLogin login = playground.client("dc1").cqlLogin(PAIR);
        try (CqlSession admin = session(PAIR, login.user(), login.password(), "dc1")) {
            Patience.until(
                    "the roles to have replicas in dc1 alone",
                    SOON,
                    () -> datacentersOfRoles(admin),
                    datacenters -> datacenters.equals(Set.of("dc1")));
            playground.whole(PAIR, 2, SOON);
            admin.execute("CREATE ROLE later"); // at EACH_QUORUM, which counted dc2
            playground.client("dc1").apply(PAIR, PAIR_SPEC, null, ChangeOptions.APPLY);
            playground.whole(PAIR, 3, SOON);
            assertThat(datacentersOfRoles(admin)).isEqualTo(Set.of("dc1", "dc2"));
        }
    }

    private static Set<String> datacentersOfRoles(CqlSession admin) {
        Map<String, String> replication = Objects.requireNonNull(
                Objects.requireNonNull(admin.execute("SELECT replication FROM system_schema.keyspaces"
                                        + " WHERE keyspace_name = 'system_auth'")
                                .one())
                        .getMap("replication", String.class, String.class));
        return replication.keySet().stream().filter(k -> !k.equals("class")).collect(Collectors.toSet());
    }

    private static void cql(String statements) {
        playground.run("cql", "guarded", "-e", statements);
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
