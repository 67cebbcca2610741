package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/**
 * Dead nodes begin anew under steady reads and writes at LOCAL_QUORUM: one that lost its volume on its own machine, which is the only one of
 * its rack, and a seed whose machine is gone on another, while all that takes part in it dies in the middle.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplaceTest {
    private static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 1000;
    private static final int STEADY = 10_000;
    private static final int WIPED = 1;
    private static final int SEED = 0;
    private static Playground playground;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    @BeforeAll
    static void start_with_load() {
        playground = Playground.up("--datacenters", "1", "--spare-machines", "1");
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
    void a_node_that_is_up_is_not_replaced() {
        Playground.Result refused = Playground.attempt(List.of("node", "replace", "rides/dc1/node-1", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("node-1 is up: it is NORMAL; only a dead node is replaced");
    }

    @Test
    @Order(2)
    void a_node_that_lost_its_volume_begins_anew_on_its_machine() {
        String before = node(WIPED).storageEndpoint();
        Path former = playground.allocation("dc1", WIPED);
        Processes.kill9(playground.executor("dc1", WIPED));
        Processes.kill9(playground.daemon("dc1", WIPED));
        wipe(former.resolve("volume"));
        awaitDeath("rides/dc1/node-1");
        String plan =
                playground.run("node", "replace", "rides/dc1/node-1", "--yes", "--wait", "--why", "its disk died");
        assertThat(plan).contains("replace dc1 node-1", "it streams its ranges from the other replicas");
        playground.whole(3, SOON);
        assertThat(node(WIPED).storageEndpoint()).isEqualTo(before);
        assertThat(node(WIPED).ownership()).isBetween(0.33, 0.34);
        assertThat(Processes.mentioning(former + "/"))
                .as("what runs in the old place")
                .isEmpty();
        assertEveryRowIsThere();
    }

    @Test
    @Order(3)
    void a_seed_whose_machine_is_gone_begins_anew_on_another_whoever_dies_meanwhile() {
        Path former = playground.allocation("dc1", SEED);
        playground.run("playground", "kill", "dc1/machine-1");
        awaitDeath("rides/dc1/node-0");
        playground.run("node", "replace", "rides/dc1/node-0", "--yes");
        joining();
        Processes.kill9(Processes.only("companion.Launch", former + "-2"));
        Patience.until("the daemon is started again", SOON, ReplaceTest::node0, n -> n.mode() != OperatingMode.JOINING);
        joining();
        Processes.kill9(Processes.only("ExecutorMain", former + "-2"));
        ProcessHandle server = playground.server("dc1");
        List<String> command = Processes.commandLine(server.pid());
        Processes.kill9(server);
        Processes.detached(command, Playground.HOME.resolve("playground/dc1/again.log"));
        playground.whole(3, SOON);
        assertThat(node(SEED).storageEndpoint()).startsWith("127.1.1.4:");
        assertEveryRowIsThere();

        playground.run("playground", "revive", "dc1/machine-1");
        playground.whole(3, SOON);
        assertThat(former.resolve("volume/data")).as("its old volume").isDirectory();
        assertThat(Processes.mentioning(former + "/")).as("what runs there").isEmpty();
    }

    private static void awaitDeath(String node) {
        Patience.until(
                "the plan of a replacement",
                SOON,
                () -> Playground.attempt(List.of("node", "replace", node, "--dry-run")),
                r -> r.exit() == 0);
    }

    private static void joining() {
        Patience.until("the newcomer joins", SOON, ReplaceTest::node0, n -> n.mode() == OperatingMode.JOINING);
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

    private static NodeState node0() {
        return node(SEED);
    }

    private static NodeState node(int index) {
        return playground.status().datacenters().get(0).nodes().get(index);
    }

    private static void wipe(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
