package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.wire.client.ChangeOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rows that one node missed, because it was down and nobody keeps hints, are lost with the next volume, if the
 * replacement of that volume streams from the node that missed them and no repair follows.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class MissedWritesTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final int ROWS = 200;
    private static Playground playground;

    @BeforeAll
    static void three_nodes_without_hints() {
        playground = Playground.up("--datacenters", "1");
        playground.whole(3, SOON);
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        playground.specWith("  hinted_handoff_enabled: false\n"),
                        null,
                        ChangeOptions.APPLY);
        Patience.until(
                "the spec to be carried out", SOON, playground::status, s -> s.specVersion() == 2 && s.normal() == 3);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    void a_replaced_node_is_repaired_before_its_plan_ends() {
        try (CqlSession session = Playground.session(playground.whole(3, SOON), "dc1")) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
            Ddl.execute(
                    session,
                    "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)" + " WITH read_repair = 'NONE'");
            playground.run("playground", "kill", "dc1/machine-1");
            awaitMode(0, OperatingMode.UNKNOWN);
            IntStream.range(0, ROWS).forEach(i -> session.execute(insert(i)));
            playground.run("playground", "revive", "dc1/machine-1");
            playground.whole(3, SOON);

            LostDisk.of(playground, NodeId.of("rides/dc1/node-1"), "dc1/machine-2");
            playground.run("playground", "kill", "dc1/machine-3");
            awaitMode(2, OperatingMode.UNKNOWN);
            List<String> replace = List.of("node", "replace", "rides/dc1/node-1", "--beside-down", "true", "--yes");
            Patience.until("a replacement", SOON, () -> Playground.attempt(replace), r -> r.exit() == 0);
            awaitMode(1, OperatingMode.NORMAL);
            Patience.until(
                    "the repair to wait for the replica that is away",
                    SOON,
                    MissedWritesTest::newest,
                    p -> !p.status().isOver() && p.toString().contains("repair ranges"));
            playground.run("playground", "revive", "dc1/machine-3");
            playground.whole(3, SOON);

            playground.run("playground", "kill", "dc1/machine-3");
            awaitMode(2, OperatingMode.UNKNOWN);
            Patience.until(
                    "all rows from the other two, once they take it for dead",
                    Duration.ofMinutes(2),
                    () -> session.execute(ServingDatacenter.quorum("SELECT rider FROM trips.place"))
                            .all()
                            .size(),
                    rows -> rows == ROWS);
        }
    }

    private static SimpleStatement insert(int rider) {
        return ServingDatacenter.quorum("INSERT INTO trips.place (rider, city) VALUES (" + rider + ", 'Pune')");
    }

    private static void awaitMode(int node, OperatingMode mode) {
        Patience.until(
                "node-" + node + " to be " + mode,
                SOON,
                () -> playground.status().datacenters().get(0).nodes().get(node).mode(),
                m -> m == mode);
    }

    private static Plan newest() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }
}
