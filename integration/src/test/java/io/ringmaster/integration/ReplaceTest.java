package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.NodeState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Dead nodes are replaced under steady reads and writes at LOCAL_QUORUM: one that lost its volume on its own machine,
 * which is the only one of its rack, and a seed whose machine is gone on another, while all that takes part in it dies
 * in the middle.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplaceTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final int WIPED = 1;
    private static final int SEED = 0;
    private static final Playground playground = Playground.attached();

    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter("--spare-machines", "1");

    @Test
    @Order(1)
    void a_node_that_is_up_is_not_replaced() {
        Playground.Result refused = Playground.attempt(List.of("node", "replace", "rides/dc1/node-1", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("node-1 is up: it is NORMAL; only a dead node can be replaced");
    }

    @Test
    @Order(2)
    void a_node_that_lost_its_volume_begins_anew_on_its_machine() {
        String before = node(WIPED).storageEndpoint();
        Path former = playground.allocation("dc1", WIPED);
        LostDisk.of(playground, NodeId.of("rides/dc1/node-1"), "dc1/machine-2");
        rides.changeSchema("CREATE TABLE trips.made_since (rider int PRIMARY KEY)");
        Patience.until(
                "the report of its empty volume",
                SOON,
                () -> playground.status().findings().toString(),
                f -> f.contains("is empty, though it has joined the ring"));
        assertThat(former.resolve("volume/data"))
                .as("what a daemon makes first")
                .doesNotExist();
        awaitDeath("rides/dc1/node-1");
        String plan =
                playground.run("node", "replace", "rides/dc1/node-1", "--yes", "--wait", "--why", "its disk died");
        assertThat(plan).contains("replace dc1 node-1", "it streams its ranges from the other replicas");
        playground.whole(3, SOON);
        assertThat(node(WIPED).storageEndpoint()).isEqualTo(before);
        assertThat(node(WIPED).effectiveOwnership()).containsEntry("trips", 1.0);
        assertThat(Processes.mentioning(former + "/"))
                .as("what runs in the old place")
                .isEmpty();
        rides.assertNothingLost();
    }

    /**
     * Rows that were written while node-1 was replaced may be on the seed and one other node alone: hence the repair
     * before the seed goes.
     */
    @Test
    @Order(3)
    void a_seed_whose_machine_is_gone_begins_anew_on_another_whoever_dies_meanwhile() {
        playground.run("repair", "start", "rides", "--yes", "--wait");
        Path former = playground.allocation("dc1", SEED);
        playground.run("playground", "kill", "dc1/machine-1");
        awaitDeath("rides/dc1/node-0");
        playground.run("node", "replace", "rides/dc1/node-0", "--yes");
        joining();
        Processes.kill9(Processes.only("companion.Launch", former + "-2"));
        Patience.until("the daemon is started again", SOON, ReplaceTest::node0, n -> n.mode() != OperatingMode.JOINING);
        joining();
        Processes.kill9(Processes.only("ExecutorMain", former + "-2"));
        DeadServer.of(playground, "dc1").comesBack();
        playground.whole(3, SOON);
        assertThat(node(SEED).storageEndpoint()).matches(Playground.endpoint(1, "4"));
        rides.assertNothingLost();

        playground.run("playground", "revive", "dc1/machine-1");
        playground.whole(3, SOON);
        assertThat(former.resolve("volume/data")).as("its old volume").isDirectory();
        assertThat(Processes.mentioning(former + "/")).as("what runs there").isEmpty();
    }

    /**
     * Only the seed is left with rows: hence the repair before. The first replacement cannot repair its ranges while
     * the other node is dead, and gives way to the second one, which repairs those of both.
     */
    @Test
    @Order(4)
    void two_of_three_nodes_that_lost_their_volumes_begin_anew_beside_each_other() {
        rides.rest();
        playground.run("repair", "start", "rides", "--yes", "--wait");
        LostDisk.of(playground, NodeId.of("rides/dc1/node-1"), "dc1/machine-2");
        LostDisk.of(playground, NodeId.of("rides/dc1/node-2"), "dc1/machine-3");
        awaitDeath("rides/dc1/node-1", "--beside-down", "true");
        playground.run("node", "replace", "rides/dc1/node-1", "--beside-down", "true", "--yes");
        playground.run("node", "replace", "rides/dc1/node-2", "--yes", "--wait");
        playground.whole(3, SOON);
        rides.assertNothingLost();
    }

    private static void awaitDeath(String node, String... options) {
        List<String> command = Stream.concat(Stream.of("node", "replace", node, "--dry-run"), Stream.of(options))
                .toList();
        Patience.until("the plan of a replacement", SOON, () -> Playground.attempt(command), r -> r.exit() == 0);
    }

    private static void joining() {
        Patience.until("the newcomer joins", SOON, ReplaceTest::node0, n -> n.mode() == OperatingMode.JOINING);
    }

    private static NodeState node0() {
        return node(SEED);
    }

    private static NodeState node(int index) {
        return playground.status().datacenters().get(0).nodes().get(index);
    }
}
