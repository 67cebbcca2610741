package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The disk of one node has no room left in the middle of a rolling restart of the others: no acknowledged row is lost,
 * the plan touches no other node while that node is down, and continues automatically when there is room again.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class FullDiskTest {
    private static Trial trial;
    private static String machine;
    private static SmallDisk disk;

    @BeforeAll
    static void start_with_load() {
        Assumptions.assumeTrue(SmallMount.isPermitted(), "this user may not mount a small file system");
        trial = Trial.begin();
        machine = trial.machineOf(Trial.LAST);
        trial.playground.run("playground", "kill", machine);
        disk = SmallDisk.under(Trial.killed(Trial.LAST, machine));
        trial.playground.run("playground", "revive", machine);
    }

    @AfterAll
    static void stop() {
        if (disk != null) {
            trial.playground.run("playground", "kill", machine);
            disk.close();
        }
        if (trial != null) {
            trial.close();
        }
    }

    @BeforeEach
    void the_cluster_is_whole() {
        trial.isWhole();
    }

    @AfterEach
    void nothing_acknowledged_is_lost() {
        trial.hasLostNothing();
    }

    @Test
    void a_daemon_that_dies_starts_again_when_there_is_room() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        ProcessHandle daemon = trial.daemon(Trial.LAST);
        disk.fill();
        Processes.kill9(daemon);
        isWaitedFor(restart);
    }

    /** A write into a mapped file for which there is no room ends the JVM. */
    @Test
    void a_daemon_that_crashes_of_it_starts_again_when_there_is_room() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        disk.fill();
        Patience.until(
                "it to crash",
                Trial.SOON,
                () -> {
                    trial.writesMore();
                    return trial.mode(Trial.LAST);
                },
                mode -> mode != OperatingMode.NORMAL);
        isWaitedFor(restart);
    }

    /** Cassandra stops serving as its failure policy asks, or its JVM ends before that. */
    @Test
    void a_node_that_cannot_flush_starts_again_when_there_is_room() throws Exception {
        for (int i = 0; i < 24; i++) {
            trial.writesMore();
        }
        disk.fill();
        trial.playground
                .client("dc1")
                .operate(
                        Playground.RIDES,
                        "flush",
                        new OperationAsk(Map.of("node", "dc2/node-2"), ""),
                        ChangeOptions.APPLY);
        trial.awaitDown(Trial.LAST);
        isToldWhy();
        disk.empty();
        Patience.until("it to be back", Trial.SOON, () -> trial.mode(Trial.LAST), m -> m == OperatingMode.NORMAL);
        trial.isWhole();
    }

    private static void isWaitedFor(RollingRestart restart) throws Exception {
        Set<NodeId> touched = trial.waitsFor(Trial.LAST, restart);
        isToldWhy();
        assertThat(restart.touched()).hasSameElementsAs(touched);
        disk.empty();
        restart.touchesNobodyUntilNormal(Trial.LAST, touched);
        restart.goesOnAndIsEnded();
    }

    private static void isToldWhy() {
        Patience.until(
                "the reason why it is down",
                Trial.SOON,
                () -> trial.findings("dc2"),
                f -> f.contains("MiB are free at") && f.contains("free disk space"));
    }
}
