package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node that missed deletions for longer than gc_grace would bring the rows back: the others may have dropped their
 * tombstones, and their hints have expired.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class AwayBeyondGcGraceTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final Duration GC_GRACE = Duration.ofSeconds(60);
    private static final int ROWS = 50;
    private static Playground playground;

    @BeforeAll
    static void three_nodes() {
        playground = Playground.up("--datacenters", "1");
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    void a_deleted_row_does_not_return_with_a_node_that_was_away_for_longer_than_gc_grace() throws Exception {
        try (CqlSession session = Playground.session(playground.whole(3, SOON), "dc1")) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
            Ddl.execute(
                    session,
                    "CREATE TABLE trips.place (rider int PRIMARY KEY, city text) WITH read_repair = 'NONE'"
                            + " AND gc_grace_seconds = " + GC_GRACE.toSeconds());
            IntStream.range(0, ROWS)
                    .forEach(i ->
                            session.execute(all("INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')")));
            playground.run("playground", "kill", "dc1/machine-2");
            awaitNode("away", n -> n.mode() == OperatingMode.UNKNOWN);
            IntStream.range(0, ROWS)
                    .forEach(i ->
                            session.execute(ServingDatacenter.quorum("DELETE FROM trips.place WHERE rider = " + i)));
            Instant deleted = Instant.now();
            Thread.sleep(GC_GRACE.plusSeconds(20).toMillis());
            playground.run("playground", "revive", "dc1/machine-2");
            NodeState refused =
                    awaitNode("refused", n -> n.problem() != null && n.problem().code() == ErrorCode.VOLUME_OUTDATED);
            assertThat(Duration.between(deleted, Instant.now())).isGreaterThan(GC_GRACE);
            assertThat(refused.mode()).isEqualTo(OperatingMode.DOWN);
            assertThat(refused.problem().message()).contains("trips.place");
            assertThat(rows(session, ConsistencyLevel.QUORUM)).isEmpty();

            playground.run("node", "replace", "rides/dc1/node-1", "--yes", "--wait");
            playground.whole(3, SOON);
            assertThat(rows(session, ConsistencyLevel.ALL)).isEmpty();
        }
    }

    private static List<?> rows(CqlSession session, ConsistencyLevel level) {
        return session.execute(SimpleStatement.newInstance("SELECT rider FROM trips.place")
                        .setConsistencyLevel(level))
                .all();
    }

    private static SimpleStatement all(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.ALL);
    }

    private static NodeState awaitNode(String what, Predicate<NodeState> test) {
        return Patience.until(
                "node-1 to be " + what,
                SOON,
                () -> playground.status().datacenters().get(0).nodes().get(1),
                test);
    }
}
