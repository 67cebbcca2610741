package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Node-1 was away for longer than others kept writes for it. */
class RepairFirstTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final DeployNode DEPLOY = new DeployNode(Scene.node(0), 2);

    private final Scene scene = Scene.live(SPEC)
            .version(SPEC.withCassandraYaml(Map.of("concurrent_reads", 8)))
            .record(1, r -> r.owing(Scene.NOW));

    private Verdict next(Step step, Map<String, String> memory) {
        return step.next(scene.view(), ONE_AT_A_TIME, memory);
    }

    @Test
    void a_node_that_was_away_repairs_before_the_next_replica_is_taken_down() {
        Verdict.Do repair = (Verdict.Do) next(DEPLOY, Map.of());
        assertThat(repair.reason()).isEqualTo("node-1: requests repair");
        scene.after(repair.changes()).says(1, NORMAL);
        assertThat(Verdicts.line(next(DEPLOY, repair.memory()))).startsWith("wait: node-1: ");
        assertThat(DEPLOY.isHeld(scene.view(), repair.memory()))
                .as("another node may fail meanwhile, which the repair would wait for")
                .isTrue();
        scene.task(1, TaskStatus.State.DONE, "repaired");
        Verdict.Do repaired = (Verdict.Do) next(DEPLOY, repair.memory());
        scene.after(repaired.changes()).says(1, NORMAL);
        assertThat(Verdicts.line(next(DEPLOY, repaired.memory()))).contains("applies version 2");
    }

    @Test
    void a_person_takes_it_down_by_force() {
        scene.forced();
        assertThat(Verdicts.line(next(DEPLOY, Map.of()))).contains("applies version 2");
    }

    @Test
    void a_node_that_is_down_is_changed_without_a_repair_which_would_wait_for_it() {
        scene.says(0, DOWN);
        assertThat(Verdicts.line(next(DEPLOY, Map.of()))).contains("applies version 2");
    }

    @Test
    void the_repair_stops_when_the_node_of_the_step_fails() {
        Verdict.Do repair = (Verdict.Do) next(DEPLOY, Map.of());
        scene.after(repair.changes()).says(1, NORMAL).says(0, DOWN);
        Verdict.Do stopped = (Verdict.Do) next(DEPLOY, repair.memory());
        assertThat(stopped.reason()).isEqualTo("stops the repair of node-1");
        assertThat(stopped.memory()).isEmpty();
    }

    @Test
    void a_restart_repairs_first_too() {
        Scene settled = Scene.live(SPEC).settled().record(1, r -> r.owing(Scene.NOW));
        RestartNode restart = new RestartNode(Scene.node(0), false, false, "LOCAL_QUORUM");
        assertThat(Verdicts.line(restart.next(settled.view(), ONE_AT_A_TIME, Map.of())))
                .contains("node-1: requests repair");
    }
}
