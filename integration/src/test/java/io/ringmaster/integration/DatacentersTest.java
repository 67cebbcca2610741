package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
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

/**
 * A cluster of one datacenter with data, under steady reads and writes at LOCAL_QUORUM, gets a second one, and loses it
 * again.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DatacentersTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 500;
    private static final Pattern STREAMED = Pattern.compile("1 keyspace rebuilt from dc1, (\\d+) bytes streamed");
    private static Playground playground;
    private static Declaration declaration;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    @BeforeAll
    static void a_cluster_of_one_datacenter_with_data() {
        playground = Playground.up("--nodes", "2");
        playground.whole(4, SOON);
        declaration = Declaration.of(playground);
        declaration.beginsInDc1(SOON);
        session = Playground.session(playground.whole(2, SOON), "dc1");
        Ddl.execute(session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        for (int i = 0; i < ROWS; i++) {
            session.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')"));
        }
        reader = new SteadyReader(session, quorum("SELECT city FROM trips.place WHERE rider = 7"));
        writer = new SteadyReader(
                session,
                number -> quorum("INSERT INTO trips.place (rider, city) VALUES (" + (ROWS + number) + ", 'Lima')"));
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable opened : new AutoCloseable[] {reader, writer, session}) {
            try {
                if (opened != null) {
                    opened.close();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_datacenter_before_those_that_hold_data_is_refused() {
        assertThat(declaration.refusal("dc2", "dc1")).contains("datacenters.dc2");
        assertThat(playground.client("dc1").spec(Playground.RIDES).source()).isEqualTo(declaration.in("dc1"));
    }

    @Test
    @Order(2)
    void the_new_datacenter_is_listed_to_clients_when_it_has_the_data() {
        declaration.apply("dc1", "dc2");
        Patience.until(
                "a node of dc2 that is NORMAL",
                SOON,
                playground::status,
                s -> s.datacenters().size() == 2 && s.normal() > 2);
        assertThat(playground
                        .client("dc2")
                        .status(Playground.RIDES, Scope.LOCAL)
                        .contactPoints())
                .as("contact points while dc2 has no data")
                .noneMatch(p -> p.matches(Playground.endpoint(2, "\\d+")));
        ClusterStatus status = playground.whole(4, SOON);
        assertThat(status.contactPoints()).hasSize(4);
        assertThat(compared("deploy"))
                .as("what its nodes found when they compared themselves with dc1")
                .hasSize(2)
                .allMatch(s -> s.matches("[1-9]\\d* partitions of dc1 looked at, all of them are here in .*"));
    }

    @Test
    @Order(3)
    void every_row_is_there_and_no_request_failed() {
        writer.close();
        reader.close();
        assertThat(reader.failed()).as(reader.firstFailure()).isZero();
        assertThat(writer.failed()).as(writer.firstFailure()).isZero();
        assertThat(session.execute("SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'trips'")
                        .one()
                        .getMap(0, String.class, String.class))
                .containsEntry("dc1", "2")
                .containsEntry("dc2", "2");
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            for (DefaultConsistencyLevel level :
                    List.of(DefaultConsistencyLevel.LOCAL_ONE, DefaultConsistencyLevel.LOCAL_QUORUM)) {
                long rows = there.execute(SimpleStatement.newInstance("SELECT count(*) FROM trips.place")
                                .setConsistencyLevel(level))
                        .one()
                        .getLong(0);
                assertThat(rows).as("rows in dc2 at " + level).isEqualTo(ROWS + writer.answered());
            }
        }
    }

    @Test
    @Order(4)
    void a_keyspace_that_is_given_replicas_there_by_hand_gets_its_rows_by_a_rebuild() {
        keepByHand("fares");
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            SimpleStatement count = quorum("SELECT count(*) FROM fares.paid");
            assertThat(there.execute(count).one().getLong(0))
                    .as("rows in dc2 before")
                    .isZero();
            for (String once : List.of("for the first time", "again")) {
                playground.run(
                        "cluster",
                        "rebuild",
                        "rides",
                        "--dc",
                        "dc2",
                        "--from",
                        "dc1",
                        "--keyspace",
                        "fares",
                        "--yes",
                        "--wait");
                assertThat(streamed())
                        .as("bytes streamed to each node of dc2, " + once)
                        .hasSize(2)
                        .allMatch(b -> b > 1000);
            }
            assertThat(there.execute(count).one().getLong(0))
                    .as("rows in dc2 after")
                    .isEqualTo(ROWS);
        }
    }

    @Test
    @Order(5)
    void a_comparison_finds_what_is_missing_there_and_streams_it() {
        keepByHand("tips");
        playground.run(
                "cluster", "compare", "rides", "--dc", "dc2", "--from", "dc1", "--keyspace", "tips", "--yes", "--wait");
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            assertThat(there.execute(quorum("SELECT count(*) FROM tips.paid"))
                            .one()
                            .getLong(0))
                    .as("rows in dc2 after")
                    .isEqualTo(ROWS);
        }
        assertThat(compared("compare"))
                .as("what its nodes found")
                .hasSize(2)
                .allMatch(s -> s.matches(
                        "[1-9]\\d* partitions of dc1 looked at, all of them are here, streamed again: tips in .*"));
    }

    /** One that has rows in dc1 and none in dc2, which is to keep it from now on. */
    private static void keepByHand(String keyspace) {
        Ddl.execute(
                session,
                "CREATE KEYSPACE " + keyspace + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        Ddl.execute(session, "CREATE TABLE " + keyspace + ".paid (ride int PRIMARY KEY, amount int)");
        for (int i = 0; i < ROWS; i++) {
            session.execute(quorum("INSERT INTO " + keyspace + ".paid (ride, amount) VALUES (" + i + ", 7)"));
        }
        session.execute("ALTER KEYSPACE " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 2}");
        playground.whole(4, SOON);
    }

    /** What the newest plan of dc2 for this operation says of each of its nodes. */
    private static List<String> compared(String operation) {
        return newest(operation).phases().stream()
                .filter(p -> p.name().equals("compare"))
                .flatMap(p -> p.steps().stream())
                .map(s -> String.valueOf(s.reason()))
                .toList();
    }

    private static Plan newest(String operation) {
        return playground.client("dc2").plans(Playground.RIDES, Scope.LOCAL).items().stream()
                .filter(p -> p.operation().equals(operation))
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }

    /** What the newest plan of dc2 says of each of its nodes. */
    private static List<Long> streamed() {
        return newest("rebuild").phases().stream()
                .filter(p -> p.name().equals("rebuild"))
                .flatMap(p -> p.steps().stream())
                .map(s -> STREAMED.matcher(s.reason()))
                .filter(Matcher::find)
                .map(m -> Long.valueOf(m.group(1)))
                .toList();
    }

    /** dc1 has the partitions of these rows: a comparison of partitions does not find that they are missing. */
    @Test
    @Order(6)
    void it_alone_has_rows() {
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            Ddl.execute(there, "CREATE KEYSPACE notes" + inBoth());
            Ddl.execute(there, "CREATE TABLE notes.kept (ride int, line int, text text, PRIMARY KEY (ride, line))");
            for (int i = 0; i < ROWS; i++) {
                there.execute(note(i, 0).setConsistencyLevel(DefaultConsistencyLevel.EACH_QUORUM));
            }
            there.execute(
                    "ALTER KEYSPACE notes" + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc2': 2}");
            for (int i = 0; i < ROWS; i++) {
                there.execute(note(i, 1));
            }
            there.execute("ALTER KEYSPACE notes" + inBoth());
        }
        playground.whole(4, SOON);
        assertThat(notes()).as("rows in dc1").isEqualTo(ROWS);
    }

    private static String inBoth() {
        return " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 2}";
    }

    private static SimpleStatement note(int ride, int line) {
        return quorum("INSERT INTO notes.kept (ride, line, text) VALUES (" + ride + ", " + line + ", 'late')");
    }

    private static long notes() {
        return session.execute(quorum("SELECT count(*) FROM notes.kept")).one().getLong(0);
    }

    @Test
    @Order(7)
    void a_keyspace_that_is_kept_in_one_datacenter_alone_keeps_it_in_the_cluster() {
        Ddl.execute(session, "CREATE KEYSPACE local WITH replication = {'class': 'NetworkTopologyStrategy', 'dc2': 1}");
        Patience.until(
                "the node to tell of the keyspace",
                SOON,
                () -> declaration.refusal("dc1"),
                why -> why.contains("keyspace local has replicas only in dc2 and would be lost"));
        session.execute("DROP KEYSPACE local");
    }

    @Test
    @Order(8)
    void it_does_not_leave_under_its_clients() {
        Patience.until("the clients of before to be gone", SOON, () -> declaration.refusal("dc1"), String::isEmpty);
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            there.execute("SELECT city FROM trips.place WHERE rider = 7");
            String why = Patience.until(
                    "the nodes of dc2 to tell of the client",
                    SOON,
                    () -> declaration.refusal("dc1"),
                    w -> !w.isEmpty());
            assertThat(why)
                    .contains("datacenter dc2: 1 client is connected there: ")
                    .containsPattern(" as (anonymous|" + CqlAccess.ROLE + ") with ")
                    .contains("Java")
                    .contains("--force");
            assertThat(playground
                            .client("dc1")
                            .apply(
                                    Playground.RIDES,
                                    declaration.in("dc1"),
                                    null,
                                    new ChangeOptions(true, false, false, true))
                            .plans())
                    .as("the plans by force, not carried out")
                    .anyMatch(p -> p.phases().stream().anyMatch(f -> f.name().equals("leave")));
        }
        assertThat(playground.status().nodes()).isEqualTo(4);
    }

    @Test
    @Order(9)
    void it_leaves_by_force_under_its_clients_while_the_other_serves() {
        reader = new SteadyReader(session, quorum("SELECT city FROM trips.place WHERE rider = 7"));
        try (CqlSession there = Playground.session(playground.status(), "dc2")) {
            there.execute("SELECT city FROM trips.place WHERE rider = 7");
            Patience.until(
                    "the nodes of dc2 to tell of the client",
                    SOON,
                    () -> declaration.refusal("dc1"),
                    why -> why.contains("is connected there"));
            playground
                    .client("dc1")
                    .apply(Playground.RIDES, declaration.in("dc1"), null, new ChangeOptions(false, false, false, true));
            Patience.until(
                    "dc2 to have left",
                    SOON,
                    () -> playground.client("dc2").plans(Playground.RIDES).items(),
                    plans -> plans.stream()
                            .anyMatch(p -> p.status() == PlanStatus.COMPLETE
                                    && p.phases().stream()
                                            .anyMatch(f -> f.name().equals("leave"))));
        }
        playground.whole(2, SOON);
        reader.close();
        assertThat(reader.failed()).as(reader.firstFailure()).isZero();
        assertThat(session.execute("SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'trips'")
                        .one()
                        .getMap(0, String.class, String.class))
                .doesNotContainKey("dc2");
        assertThat(session.execute("SELECT count(*) FROM system.peers_v2").one().getLong(0))
                .as("nodes that a node of dc1 knows beside itself")
                .isEqualTo(1);
        assertThat(session.execute("SELECT count(*) FROM trips.place").one().getLong(0))
                .isEqualTo(ROWS + writer.answered());
        assertThat(notes()).as("rows in dc1, with those that dc2 alone had").isEqualTo(2 * ROWS);
    }

    @Test
    @Order(10)
    void a_delete_that_destroys_the_data_destroys_that_of_nodes_that_left_earlier_too() {
        assertThat(volumes("dc1")).hasSize(2);
        assertThat(volumes("dc2"))
                .as("of nodes that left, some twice")
                .contains("rides-dc2-node-0", "rides-dc2-node-1");
        session.close();
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        Patience.until("the volumes of dc1 to be gone", SOON, () -> volumes("dc1"), List::isEmpty);
        Patience.until("the volumes of dc2 to be gone", SOON, () -> volumes("dc2"), List::isEmpty);
    }

    private static List<String> volumes(String datacenter) {
        String[] found = playground
                .allocation(datacenter, 0)
                .getParent()
                .toFile()
                .list((folder, name) -> name.startsWith("rides-"));
        return found == null ? List.of() : List.of(found);
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);
    }
}
