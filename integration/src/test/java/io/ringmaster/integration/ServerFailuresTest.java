package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Those who decide fail in the middle of a rolling restart: no acknowledged row is lost, nothing is touched while
 * nobody decides, and who comes after them goes on where they were.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class ServerFailuresTest {
    /** Longer than a leader's session lasts. */
    private static final long AWAY_MS = 15_000;

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
    void a_server_and_its_zookeeper_die_at_each_step() {
        RollingRestart restart = RollingRestart.underWay(trial);
        for (int count = 1; count <= 6; count++) {
            NodeId node = restart.awaitTouched(count);
            DeadServer.of(trial.playground, node.datacenter().value()).comesBack();
        }
        restart.completes();
    }

    @Test
    void both_servers_are_away_for_a_while() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        Set<NodeId> touched = Set.copyOf(restart.touched());
        List<DeadServer> dead = List.of(DeadServer.of(trial.playground, "dc1"), DeadServer.of(trial.playground, "dc2"));
        Thread.sleep(AWAY_MS);
        dead.forEach(DeadServer::comesBack);
        assertNothingWasTouchedSince(touched, restart);
        restart.goesOnAndIsEnded();
    }

    /** One in a process of its own, as a user has it who runs several servers for a datacenter. */
    @Test
    void the_zookeeper_of_a_server_dies_and_comes_back() throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.of(trial.playground, "dc1")) {
            trial.playground.whole(6, Trial.SOON);
            RollingRestart restart = RollingRestart.underWay(trial);
            Set<NodeId> touched = Set.copyOf(restart.touched());
            zookeeper.kill();
            Thread.sleep(AWAY_MS);
            zookeeper.start();
            assertNothingWasTouchedSince(touched, restart);
            restart.goesOnAndIsEnded();
        }
    }

    /** But for one that was being decided at that moment. */
    private static void assertNothingWasTouchedSince(Set<NodeId> touched, RollingRestart restart) {
        assertThat(Patience.until("the plan", Trial.SOON, restart::touched, t -> !t.isEmpty()))
                .hasSizeLessThanOrEqualTo(touched.size() + 1);
    }
}
