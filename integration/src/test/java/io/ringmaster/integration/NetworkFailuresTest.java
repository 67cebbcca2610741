package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.client.Scope;
import java.util.List;
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
 * A machine, or the line between the datacenters, is lost in the middle of a rolling restart: no acknowledged row is
 * lost, no node is touched on a guess, and the plan continues automatically when it is back.
 */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "a playground with --wan has no TLS")
@Tag("cassandra")
@Tag("long")
@Timeout(900)
class NetworkFailuresTest {
    private static Trial trial;

    @BeforeAll
    static void start_with_load() {
        Assumptions.assumeTrue(Trial.hasNetworks(), "no network namespaces here");
        trial = Trial.beginFarApart();
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
    void the_machine_of_another_node_is_lost_and_comes_back() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        String machine = trial.machineOf(Trial.LAST);
        trial.playground.run("playground", "kill", machine);
        Set<NodeId> touched = trial.waitsFor(Trial.LAST, restart);
        trial.playground.run("playground", "revive", machine);
        restart.touchesNobodyUntilNormal(Trial.LAST, touched);
        restart.goesOnAndIsEnded();
    }

    @Test
    void the_datacenters_are_cut_off_from_each_other() throws Exception {
        RollingRestart restart = RollingRestart.underWay(trial);
        trial.playground.run("playground", "cut", "dc1", "dc2");
        Patience.until("both sides to know", Trial.SOON, () -> isSilent("dc1") && isSilent("dc2"), cut -> cut);
        Patience.until(
                "dc1's nodes to see the others down, and the plan to say so",
                Trial.SOON,
                restart::reasons,
                r -> r.contains("DOWN") || r.contains("silent"));
        List<NodeId> touched = restart.touched();
        Thread.sleep(10_000);
        assertThat(restart.touched()).as("nobody is touched on a guess").isEqualTo(touched);
        trial.playground.run("playground", "heal", "dc1", "dc2");
        restart.goesOnAndIsEnded();
    }

    private static boolean isSilent(String side) {
        return trial.playground.client(side).status(Playground.RIDES, Scope.FLEET).datacenters().stream()
                .anyMatch(d -> d.silence() != null);
    }
}
