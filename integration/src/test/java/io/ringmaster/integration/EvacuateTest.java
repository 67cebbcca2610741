package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import java.nio.file.Path;
import java.time.Duration;
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

/** A machine is left, and another one lost for good, under steady reads and writes at LOCAL_QUORUM. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EvacuateTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 1000;
    private static final int STEADY = 10_000;
    private static Playground playground;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    /** The spare machines are in the racks of the first two nodes, which are seeds. */
    @BeforeAll
    static void start_with_load() {
        playground = Playground.up("--datacenters", "1", "--spare-machines", "2");
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
    void a_machine_whose_node_fits_nowhere_else_is_not_touched() {
        Playground.Result refused = Playground.attempt(List.of("machine", "evacuate", "dc1/machine-3", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output())
                .contains("machine-3: it is to be left", "machine-4: rack: it must stay in")
                .doesNotContain("is cordoned");
        assertThat(playground.status().normal()).isEqualTo(3);
    }

    @Test
    @Order(2)
    void its_nodes_move_to_another_machine_and_no_request_fails() {
        Path former = playground.allocation("dc1", 0);
        assertThat(endpoint(0)).startsWith("127.1.1.1:");
        String told =
                playground.run("machine", "evacuate", "dc1/machine-1", "--yes", "--wait", "--why", "its disk ages");
        assertThat(told).contains("move dc1 node-0", "dc1/machine-1 is cordoned", "done");
        playground.whole(3, SOON);
        assertThat(endpoint(0)).startsWith("127.1.1.4:");
        assertThat(playground.run("machine", "list")).contains("cordoned");
        assertThat(former.resolve("volume/data")).as("its old volume").isDirectory();
        assertThat(Processes.mentioning(former + "/")).as("what runs there").isEmpty();
        assertEveryRowIsThere();
    }

    @Test
    @Order(3)
    void the_node_of_a_machine_that_stays_lost_is_replaced_without_being_asked() {
        String source = playground.client("dc1").spec(Playground.RIDES).source();
        playground
                .client("dc1")
                .apply(Playground.RIDES, source + "\nreplace: {after: 1m}\n", null, ChangeOptions.APPLY);
        playground.whole(3, SOON);
        assertThat(endpoint(1)).startsWith("127.1.1.2:");
        playground.run("playground", "kill", "dc1/machine-2");
        Patience.until("its replacement to be asked for", SOON, EvacuateTest::audit, a -> a.contains("automatic"));
        assertThat(audit()).contains("machine-2 is lost since", "for more than 1m");
        playground.whole(3, SOON);
        assertThat(endpoint(1)).startsWith("127.1.1.5:");
        assertEveryRowIsThere();
    }

    private static String audit() {
        return playground.run("audit", "-o", "json");
    }

    private static void assertEveryRowIsThere() {
        reader.assertServed();
        writer.assertServed();
        int written = writer.answered();
        assertThat(IntStream.concat(IntStream.range(0, ROWS), IntStream.range(STEADY, STEADY + written))
                        .filter(i -> session.execute(read(i)).one() == null))
                .as("rows of " + written + " steady writes that are not there")
                .isEmpty();
    }

    private static String endpoint(int node) {
        return playground.status().datacenters().get(0).nodes().get(node).storageEndpoint();
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
