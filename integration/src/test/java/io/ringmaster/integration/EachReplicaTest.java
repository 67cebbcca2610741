package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.api.ClusterStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the other tests of this package take for a loss: rows that a replica lacks, which no quorum would miss. */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "a test of the tests, for speed")
@Tag("cassandra")
@Tag("long")
@Timeout(600)
class EachReplicaTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final int ROWS = 300;

    private Playground playground = Playground.attached();

    @AfterEach
    void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    /** Three replicas on four nodes in three racks; one node misses what is written without hints. */
    @Test
    void rows_that_one_replica_misses_are_found_although_each_quorum_returns_them() {
        playground = Playground.up(
                EachReplica.options("--datacenters", "1", "--nodes", "4", "--parameter=hinted_handoff_enabled=false"));
        ClusterStatus status = playground.whole(4, SOON);
        try (CqlSession session = Playground.session(status, "dc1")) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
            session.execute(VersionedRows.TABLE);
            write(session, 0);
            playground.run("playground", "kill", "dc1/machine-2");
            write(session, ROWS);
            playground.run("playground", "revive", "dc1/machine-2");
            playground.whole(4, SOON);
            IntStream.range(0, 2 * ROWS).forEach(i -> assertThat(
                            session.execute(SteadyRows.quorum("SELECT * FROM trips.version WHERE rider = " + i))
                                    .all())
                    .as("row " + i)
                    .hasSize(1));
            EachReplica each = Patience.until(
                    "an answer of each node", SOON, () -> new EachReplica(session, "trips", "version"), seen -> true);
            assertThat(each.nodes()).hasSize(4);
            assertThat(IntStream.range(0, 2 * ROWS).boxed())
                    .allSatisfy(i -> assertThat(each.of(i)).hasSize(3));
            assertThat(lacking(each, 0))
                    .as("rows that a replica lacks, of those from before")
                    .isZero();
            // node-1 is alone in its rack, so it is a replica of each row
            assertThat(lacking(each, ROWS)).as(each.toString()).isEqualTo(ROWS);
        }
    }

    private static void write(CqlSession session, int first) {
        IntStream.range(first, first + ROWS)
                .forEach(i -> session.execute(
                        SteadyRows.quorum("INSERT INTO trips.version (rider, version) VALUES (" + i + ", 1)")));
    }

    private static long lacking(EachReplica each, int first) {
        return IntStream.range(first, first + ROWS)
                .filter(i -> each.of(i).stream().anyMatch(Objects::isNull))
                .count();
    }
}
