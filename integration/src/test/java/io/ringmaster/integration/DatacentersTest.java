package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A cluster of one datacenter with data, under steady reads and writes at LOCAL_QUORUM, gets a second one, and loses it again. */
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DatacentersTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 500;
    private static Playground playground;
    private static ClusterSpec both;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    @BeforeAll
    static void a_cluster_of_one_datacenter_with_data() {
        playground = Playground.up("--nodes", "2");
        playground.whole(4, SOON);
        String source = playground.client("dc1").spec(Playground.RIDES).source();
        both = ((ParsedSpec.Valid) ClusterSpecs.parse(source)).spec();
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        Patience.until("the deleted cluster to be gone in dc2 too", SOON, DatacentersTest::declareAlone, done -> done);
        session = Playground.session(playground.whole(2, SOON), "dc1");
        session.execute("CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        session.execute("CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        for (int i = 0; i < ROWS; i++) {
            session.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')"));
        }
        reader = new SteadyReader(session, quorum("SELECT city FROM trips.place WHERE rider = 7"));
        writer = new SteadyReader(
                session,
                number -> quorum("INSERT INTO trips.place (rider, city) VALUES (" + (ROWS + number) + ", 'Lima')"));
    }

    private static boolean declareAlone() {
        try {
            playground.client("dc1").apply(Playground.RIDES, of("dc1"), null, ChangeOptions.APPLY);
            return true;
        } catch (RefusedException e) {
            assertThat(e).hasMessageContaining("still has nodes in dc2");
            return false;
        }
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

    /** The spec with these datacenters, in this order. */
    private static String of(String... names) {
        return SpecText.write(new ClusterSpec(
                both.name(),
                both.cassandraVersion(),
                both.preset(),
                Stream.of(names)
                        .map(name -> both.datacenter(new DatacenterName(name)).orElseThrow())
                        .toList(),
                both.resources(),
                both.jvm(),
                both.cassandraYaml(),
                both.placement()));
    }

    @Test
    @Order(1)
    void a_datacenter_before_those_that_hold_data_is_refused() {
        Assertions.assertThatThrownBy(() ->
                        playground.client("dc1").apply(Playground.RIDES, of("dc2", "dc1"), null, ChangeOptions.APPLY))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("datacenters.dc2");
        assertThat(playground.client("dc1").spec(Playground.RIDES).source()).isEqualTo(of("dc1"));
    }

    @Test
    @Order(2)
    void the_new_datacenter_is_listed_to_clients_when_it_has_the_data() {
        playground.client("dc1").apply(Playground.RIDES, of("dc1", "dc2"), null, ChangeOptions.APPLY);
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
                .noneMatch(p -> p.startsWith("127.1.2."));
        ClusterStatus status = playground.whole(4, SOON);
        assertThat(status.contactPoints()).hasSize(4);
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
    void a_keyspace_that_is_kept_in_one_datacenter_alone_keeps_it_in_the_cluster() {
        session.execute("CREATE KEYSPACE local WITH replication = {'class': 'NetworkTopologyStrategy', 'dc2': 1}");
        Patience.until(
                "the node to tell of the keyspace",
                SOON,
                () -> refusal(of("dc1")),
                why -> why.contains("keyspace local is kept only in dc2 and would be lost"));
        session.execute("DROP KEYSPACE local");
    }

    @Test
    @Order(5)
    void it_leaves_again_while_the_other_serves() {
        reader = new SteadyReader(session, quorum("SELECT city FROM trips.place WHERE rider = 7"));
        Patience.until("the removal to be accepted", SOON, () -> refusal(of("dc1")), String::isEmpty);
        playground.client("dc1").apply(Playground.RIDES, of("dc1"), null, ChangeOptions.APPLY);
        Patience.until(
                "dc2 to have left",
                SOON,
                () -> playground.client("dc2").plans(Playground.RIDES).items(),
                plans -> plans.stream()
                        .anyMatch(p -> p.status() == PlanStatus.COMPLETE
                                && p.phases().stream().anyMatch(f -> f.name().equals("leave"))));
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
    }

    /** Why a spec would be refused now; empty if it would not. */
    private static String refusal(String spec) {
        try {
            playground.client("dc1").apply(Playground.RIDES, spec, null, new ChangeOptions(true, false, false));
            return "";
        } catch (RefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);
    }
}
