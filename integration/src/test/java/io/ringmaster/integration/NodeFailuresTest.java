package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process of one node fails in the middle of a rolling restart: no acknowledged row is lost, the plan takes no second
 * node down, and it continues automatically.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class NodeFailuresTest {
    private static Trial trial;

    @BeforeAll
    static void start_with_load() {
        trial = Trial.begin();
    }

    @AfterAll
    static void stop() {
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
    void the_executor_of_the_node_at_work_dies() {
        RollingRestart restart = RollingRestart.underWay(trial);
        Processes.kill9(trial.executor(restart.awaitTouched(1)));
        restart.goesOnAndIsEnded();
    }

    @Test
    void the_daemon_of_the_node_at_work_dies_while_it_starts() {
        RollingRestart restart = RollingRestart.underWay(trial);
        NodeId first = restart.awaitTouched(1);
        Patience.until("its start", Trial.SOON, () -> trial.mode(first), m -> m == OperatingMode.STARTING);
        Processes.kill9(trial.daemon(first));
        restart.goesOnAndIsEnded();
    }

    @Test
    void the_daemon_of_another_node_flaps() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        for (int i = 0; i < 3; i++) {
            Processes.kill9(trial.daemon(Trial.LAST));
            trial.awaitDown(Trial.LAST);
            restart.touchesNobodyUntilNormal(Trial.LAST, Set.copyOf(restart.touched()));
        }
        restart.goesOnAndIsEnded();
    }

    @Test
    void the_daemon_of_another_node_is_stuck() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        ProcessHandle stuck = trial.daemon(Trial.LAST);
        Processes.signal("STOP", stuck);
        try {
            Set<NodeId> touched = trial.waitsFor(Trial.LAST, restart);
            assertThat(restart.touched()).hasSameElementsAs(touched);
        } finally {
            Processes.signal("CONT", stuck);
        }
        restart.goesOnAndIsEnded();
    }
}
