package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.ringmaster.model.name.ClusterName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A cluster of two real nodes whose repairs are left to Cassandra's own scheduler. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoRepairTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final ClusterName TRIPS = new ClusterName("trips");
    private static final String OWN_SCHEDULER =
            """
            cassandra_yaml:
              auto_repair:
                enabled: true
                repair_check_interval: 5s
                repair_task_min_duration: 0s
                repair_type_overrides:
                  full: {enabled: true, initial_scheduler_delay: 5s, min_repair_interval: 30s}
            """;
    private static Playground playground;

    @BeforeAll
    static void hand_over_from_the_start() {
        playground = Playground.up("--datacenters", "1", "--nodes", "1");
        SmallCluster.declare(playground, TRIPS, 2, "", spec -> spec.replaceFirst(
                        "options:", "options:\n  - -Dcassandra.autorepair.enable=true")
                .replaceFirst("(?m)^cassandra_yaml:.*$", OWN_SCHEDULER));
        playground.whole(TRIPS, 2, SOON);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void cassandra_repairs_the_tables_of_its_users_by_itself() {
        try (CqlSession session = session()) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
            Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
            session.execute("INSERT INTO trips.place (rider, city) VALUES (1, 'Oslo')");
            repairs(session);
        }
    }

    @Test
    @Order(2)
    void it_goes_on_after_a_restart_by_ringmaster_which_asks_for_no_repair_itself() {
        playground.run("cluster", "restart", "trips", "--yes", "--wait");
        playground.whole(TRIPS, 2, SOON);
        try (CqlSession session = session()) {
            session.execute("TRUNCATE system_distributed.repair_history");
            repairs(session);
        }
        assertThat(playground.client("dc1").operations(TRIPS))
                .extracting(o -> o.request().operation())
                .doesNotContain("repair");
    }

    private static void repairs(CqlSession session) {
        Patience.until(
                "both nodes to have repaired their ranges",
                SOON,
                () -> session.execute("SELECT participants, status, coordinator FROM system_distributed.repair_history"
                                + " WHERE keyspace_name = 'trips' AND columnfamily_name = 'place'")
                        .all(),
                AutoRepairTest::allSucceededFromBoth);
    }

    private static boolean allSucceededFromBoth(List<Row> history) {
        return history.stream()
                        .filter(row -> "SUCCESS".equals(row.getString("status")))
                        .map(row -> row.getInetAddress("coordinator"))
                        .distinct()
                        .count()
                == 2;
    }

    /** No role of a spec may read the history of repairs. */
    private static CqlSession session() {
        CqlAccess administrator = CqlAccess.administrator(playground.client("dc1"), TRIPS);
        return Playground.session(playground.whole(TRIPS, 2, SOON), "dc1", administrator);
    }
}
