package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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

/** Nodes join and leave a datacenter that holds data, under steady reads and writes at LOCAL_QUORUM. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ScaleTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 1000;
    private static final int STEADY = 10_000;
    private static Playground playground;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    @BeforeAll
    static void start_with_load() {
        playground = Playground.up("--datacenters", "1");
        ClusterStatus status = playground.whole(3, SOON);
        session = Playground.session(status, "dc1");
        session.execute("CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
        session.execute("CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        IntStream.range(0, ROWS).forEach(i -> session.execute(write(i)));
        reader = new SteadyReader(session, i -> read(i % ROWS));
        writer = new SteadyReader(session, i -> write(STEADY + i));
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable open :
                Stream.of(reader, writer, session).filter(Objects::nonNull).toList()) {
            open.close();
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void fewer_nodes_than_replicas_are_refused_and_nothing_changes() {
        long before = playground.status().specVersion();
        Playground.Result refused =
                Playground.attempt(List.of("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "2", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("2 are too few: keyspace trips has 3 replicas in dc1");
        assertThat(playground.status().specVersion()).isEqualTo(before);
    }

    @Test
    @Order(2)
    void a_node_joins_with_its_data_and_the_others_clean_up() {
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        playground
                                .client("dc1")
                                .spec(Playground.RIDES)
                                .source()
                                .replaceFirst("nodes_per_machine: *1", "nodes_per_machine: 2"),
                        null,
                        ChangeOptions.APPLY);
        playground.whole(3, SOON);
        assertThat(playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes", "--wait"))
                .contains("ownership before: node-0 33.3 %, node-1 33.3 %, node-2 33.3 %")
                .contains("node-3 16.7 %");
        ClusterStatus status = playground.whole(4, SOON);
        assertThat(status.datacenters().get(0).nodes())
                .extracting(NodeState::ownership)
                .allSatisfy(share -> assertThat(share).isBetween(0.16, 0.34));
        assertThat(steps("cleanup")).hasSize(3).allSatisfy(s -> assertThat(s.reason())
                .startsWith("1 table cleaned up"));
        assertNothingLost();
    }

    @Test
    @Order(3)
    void the_node_leaves_again_and_its_volume_is_kept() {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "3", "--yes", "--wait");
        playground.whole(3, SOON);
        assertThat(steps("leave")).singleElement().satisfies(s -> assertThat(s.reason())
                .startsWith("left the ring; volume rides-dc1-node-3 on "));
        assertThat(Processes.mentioning(playground.allocation("dc1", 3).toString()))
                .isEmpty();
        assertThat(Files.exists(playground.allocation("dc1", 3).resolve("volume/data")))
                .isTrue();
        assertNothingLost();
    }

    @Test
    @Order(4)
    void a_node_joins_again_under_the_name_of_the_one_that_left() {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes", "--wait");
        playground.whole(4, SOON);
        assertNothingLost();
    }

    private static void assertNothingLost() {
        reader.assertServed();
        writer.assertServed();
        int written = writer.answered();
        assertThat(IntStream.concat(IntStream.range(0, ROWS), IntStream.range(STEADY, STEADY + written))
                        .filter(i -> session.execute(read(i)).one() == null))
                .as("rows of " + written + " steady writes that are not there")
                .isEmpty();
    }

    /** Of the phase of this name in the newest plan. */
    private static List<StepState> steps(String phase) {
        Plan newest = playground.client("dc1").plans(Playground.RIDES).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
        return newest.phases().stream()
                .filter(p -> p.name().equals(phase))
                .flatMap(p -> p.steps().stream())
                .toList();
    }

    private static SimpleStatement read(int rider) {
        return quorum("SELECT city FROM trips.place WHERE rider = " + rider);
    }

    private static SimpleStatement write(int rider) {
        return quorum("INSERT INTO trips.place (rider, city) VALUES (" + rider + ", 'Pune')");
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }
}
