package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.JOINING;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.model.node.TaskStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check between a changed node and the next one. */
class PostChangeCheckTest {
    private final Scene scene = Scene.live(Samples.spec("rides", 3, 2));

    @Test
    void a_node_passes_once_all_see_it_and_a_probe_through_it_succeeds() {
        Verdict.Do normal = (Verdict.Do) next(Map.of());
        assertThat(Verdicts.line(normal)).isEqualTo("do {}[]: NORMAL; the post-change check starts");
        Verdict.Do probe = (Verdict.Do) next(normal.memory());
        assertThat(probe.reason()).isEqualTo("probes a write and a read at LOCAL_QUORUM");
        scene.after(probe.changes()).says(0, NORMAL);
        assertThat(Verdicts.line(next(probe.memory()))).startsWith("wait: probes a write");
        scene.task(0, TaskStatus.State.DONE, "probe passed");
        assertThat(Verdicts.line(next(probe.memory())))
                .contains("NORMAL, post-change check 0.0 s (seen by all after 0.0 s), probe passed");
    }

    @Test
    void a_failed_probe_is_retried_with_another_id_and_nothing_continues_meanwhile() {
        Verdict.Do probe = (Verdict.Do) next(((Verdict.Do) next(Map.of())).memory());
        scene.after(probe.changes()).says(0, NORMAL).task(0, TaskStatus.State.FAILED, "no answer at LOCAL_QUORUM");
        assertThat(Verdicts.line(next(probe.memory())))
                .isEqualTo("wait: the probe fails and is retried: no answer at LOCAL_QUORUM");
        scene.later(3);
        Verdict.Do again = (Verdict.Do) next(probe.memory());
        assertThat(again.memory().get(NodeTasks.TASK))
                .isNotEqualTo(probe.memory().get(NodeTasks.TASK));
    }

    @Test
    void it_is_probed_once_every_other_node_sees_it() {
        Verdict.Do normal = (Verdict.Do) next(Map.of());
        scene.says(0, JOINING);
        assertThat(Verdicts.line(next(normal.memory()))).isEqualTo("wait: node-1 does not see node-0 NORMAL yet");
        scene.says(0, NORMAL);
        assertThat(next(normal.memory())).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void hints_for_the_node_are_waited_for_unless_they_are_few() {
        Verdict.Do normal = (Verdict.Do) next(Map.of());
        scene.hints(1, "host-0", AvailabilityCheck.HINTS_BOUND_BYTES + 1);
        assertThat(Verdicts.line(next(normal.memory())))
                .isEqualTo("wait: node-1 still keeps 4.0 MiB of hints for node-0");
        scene.hints(1, "host-0", AvailabilityCheck.HINTS_BOUND_BYTES);
        assertThat(next(normal.memory())).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void a_node_that_was_away_for_too_long_repairs_before_it_is_probed() {
        scene.record(0, r -> r.owing(Scene.NOW.plusSeconds(5)));
        Map<String, String> started = Map.of("began", Scene.NOW.toString());
        Verdict.Do normal = (Verdict.Do) next(started);
        Verdict.Do repair = (Verdict.Do) next(normal.memory());
        assertThat(repair.reason()).isEqualTo("node-0: requests repair");
        scene.after(repair.changes()).says(0, NORMAL).task(0, TaskStatus.State.DONE, "repaired");
        Verdict.Do repaired = (Verdict.Do) next(repair.memory());
        scene.after(repaired.changes()).says(0, NORMAL);
        assertThat(((Verdict.Do) next(repaired.memory())).reason()).startsWith("probes a write");
    }

    @Test
    void what_a_newcomer_takes_over_is_repaired_when_all_have_joined() {
        scene.record(0, r -> r.owing(Scene.NOW));
        Verdict.Do normal = (Verdict.Do) next(Map.of("began", Scene.NOW.toString()));
        assertThat(((Verdict.Do) next(normal.memory())).reason()).startsWith("probes a write");
    }

    @Test
    void a_requested_restart_waits_for_every_other_node_and_for_the_spec() {
        assertThat(restart()).startsWith("do {node-0 g2");
        scene.says(1, DOWN);
        assertThat(restart()).isEqualTo("wait: node-1 is DOWN: doing things");
        scene.says(1, NORMAL).remoteSeen(0, false);
        assertThat(restart()).startsWith("wait: node-1 sees 127.1.2.1:7000 (dc2) DOWN");
    }

    @Test
    void a_requested_restart_lets_a_new_spec_go_first() {
        scene.version(Samples.spec("rides", 3, 2));
        assertThat(restart()).isEqualTo("wait: the spec goes first: version 2 is not settled in dc1");
    }

    @Test
    void nodes_of_one_rack_may_be_restarted_together() {
        scene.says(1, DOWN).record(1, r -> Scene.inRack(r, "r1"));
        assertThat(restart(true)).startsWith("do {node-0 g2");
        assertThat(restart(false)).startsWith("wait: node-1 is DOWN");
    }

    private Verdict next(Map<String, String> memory) {
        return new PostChangeCheck(AvailabilityCheck.ONE_AT_A_TIME)
                .next(scene.view(), scene.view().nodes().get(Scene.node(0)), memory);
    }

    private String restart() {
        return restart(false);
    }

    private String restart(boolean together) {
        scene.settled();
        return Verdicts.line(new RestartNode(Scene.node(0), together, false, "LOCAL_QUORUM")
                .next(scene.view(), ONE_AT_A_TIME, Map.of()));
    }
}
