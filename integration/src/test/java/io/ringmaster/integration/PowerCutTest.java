package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.NodeState;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every process of a playground is killed at once in the middle of a replacement, and it is started again. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class PowerCutTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final int ROWS = 200;
    private static final String[] OPTIONS = {"--datacenters", "1", "--spare-machines", "1", "--keep-data"};
    private static final Playground playground = Playground.attached();

    @AfterAll
    static void stop() {
        Playground.clear();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    void a_replacement_joins_though_everything_lost_its_power_while_it_was_joining() throws Exception {
        Playground.up(OPTIONS);
        try (CqlSession session = Playground.session(playground.whole(3, SOON), "dc1")) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
            Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
            IntStream.range(0, ROWS)
                    .forEach(i -> session.execute(ServingDatacenter.quorum(
                            "INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')")));
        }
        playground.run("playground", "kill", "dc1/machine-1");
        List<String> replace = List.of("node", "replace", "rides/dc1/node-0", "--yes");
        Patience.until("a replacement", SOON, () -> Playground.attempt(replace), r -> r.exit() == 0);
        Patience.until("the newcomer to join", SOON, PowerCutTest::replaced, n -> n.mode() == OperatingMode.JOINING);
        cut();
        playground.run(PlaygroundKind.startAgain(OPTIONS));
        try (CqlSession session = Playground.session(playground.whole(3, SOON), "dc1")) {
            assertThat(session.execute(ServingDatacenter.quorum("SELECT rider FROM trips.place"))
                            .all())
                    .hasSize(ROWS);
        }
        assertThat(replaced().storageEndpoint()).matches(Playground.endpoint(1, "4"));
        assertThat(Files.readString(
                        playground.allocation("dc1", 0).resolveSibling("rides-dc1-node-0-2/volume/conf/command")))
                .as("the start that joined")
                .contains("load_ring_state=false");
    }

    private static void cut() {
        Set<ProcessHandle> all = Processes.below(Playground.HOME);
        all.forEach(ProcessHandle::destroyForcibly);
        Patience.until(
                "the end of every process",
                SOON,
                () -> Processes.mentioning(Playground.HOME.toString()),
                List::isEmpty);
    }

    private static NodeState replaced() {
        return playground.status().datacenters().get(0).nodes().get(0);
    }
}
