package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplaceNodeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final Step STEP = new ReplaceNode(Scene.node(1), false);
    private static final Map<String, String> BEGUN = Map.of(StepState.KEPT + "replaces", "127.1.1.2:7000");

    private static String next(Scene scene, Map<String, String> memory) {
        return Verdicts.line(STEP.next(scene.view(), ONE_AT_A_TIME, memory));
    }

    /** The daemon of node 1 is dead, its executor is not. */
    private static Scene dead() {
        return Scene.live(SPEC).settled().says(1, OperatingMode.DOWN);
    }

    private static Scene replaced() {
        Scene scene = dead();
        Verdict.Do begun = (Verdict.Do) STEP.next(scene.view(), ONE_AT_A_TIME, Map.of());
        return scene.after(begun.changes());
    }

    @Test
    void a_dead_node_moves_to_another_machine_of_its_rack_and_keeps_its_tokens_and_its_storage_port() {
        Scene scene = dead().with(Samples.machine(4, "r2"));
        NodeRecord before = scene.view().nodes().get(Scene.node(1));
        Verdict verdict = STEP.next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(Verdicts.line(verdict))
                .isEqualTo("do {node-1 g2 v1 good0, rides v1 created}[Forget node-1, Kill rides-dc1-node-1]: "
                        + "starts a replacement on machine-4 for 127.1.1.2:7000");
        NodeRecord after =
                (NodeRecord) ((Change.Put) ((Verdict.Do) verdict).changes().get(0)).record();
        assertThat(after.allocation().id().value()).isEqualTo("rides-dc1-node-1-2");
        assertThat(after.allocation().ports().storage()).isEqualTo(7000);
        assertThat(after.rack()).isEqualTo(before.rack());
        assertThat(after.tokens()).isEqualTo(before.tokens());
        assertThat(after.previousAllocations()).containsExactly(before.allocation());
        assertThat(after.owesRepair()).isTrue();
    }

    @Test
    void without_another_machine_in_its_rack_it_takes_over_its_own_endpoint() {
        NodeRecord after = replaced().view().nodes().get(Scene.node(1));
        assertThat(after.allocation().machine().value()).isEqualTo("machine-2");
        assertThat(Scene.endpoint(after)).isEqualTo(after.replaces());
    }

    @Test
    void without_any_machine_in_its_rack_the_problem_names_the_reason_for_each_of_the_others() {
        assertThat(next(Scene.live(SPEC).settled().says(1, OperatingMode.DOWN).machineLost(1), Map.of()))
                .contains("NO_MACHINE_FITS", "machine-1: rack: the node must stay in r2");
    }

    @Test
    void a_replacement_whose_machine_is_gone_too_gets_yet_another_machine() {
        Scene scene = replaced().machineLost(1).with(Samples.machine(4, "r2"));
        assertThat(next(scene, BEGUN)).endsWith("starts a replacement on machine-4 for 127.1.1.2:7000");
    }

    @Test
    void the_place_of_a_replacement_that_is_given_up_is_recorded_as_that_of_a_node_that_never_joined() {
        Scene scene = replaced().machineLost(1).with(Samples.machine(4, "r2"));
        Verdict.Do again = (Verdict.Do) STEP.next(scene.view(), ONE_AT_A_TIME, BEGUN);
        ClusterRecord cluster = scene.after(again.changes()).view().clusters().get(Scene.RIDES);
        assertThat(Objects.requireNonNull(cluster).volumes())
                .extracting(KeptVolume::reason)
                .containsExactly(KeptVolume.Reason.REPLACED, KeptVolume.Reason.ABORTED);
    }

    @Test
    void a_replacement_that_has_joined_and_lost_its_volume_since_is_replaced_again() {
        Scene scene = replaced().record(1, r -> r.decide(1).seenNormal()).with(Samples.machine(4, "r2"));
        assertThat(next(scene.says(1, OperatingMode.DOWN).claimGone(1), BEGUN))
                .endsWith("starts a replacement on machine-4 for 127.1.1.2:7000");
    }

    @Test
    void a_node_whose_newest_target_is_held_back_until_the_replacement_does_not_block_it() {
        Scene scene = dead().record(2, NodeRecord::restart).says(2, OperatingMode.NORMAL, 1, 1, 0);
        assertThat(next(scene, Map.of())).startsWith("do {node-1 g2");
    }

    @Test
    void a_node_that_left_while_its_replacement_waited_needs_none() {
        Scene scene = dead().after(List.of(new Change.Remove(new RecordKey.OfNode(Scene.node(1)))));
        assertThat(next(scene, Map.of())).isEqualTo("done {}: has left the ring meanwhile: nothing is replaced");
    }

    @Test
    void a_node_that_is_up_or_that_others_see_alive_is_not_replaced() {
        assertThat(next(Scene.live(SPEC).settled(), Map.of()))
                .isEqualTo("done {}: is NORMAL again: nothing is replaced");
        assertThat(next(Scene.live(SPEC).settled().silent(1), Map.of()))
                .isEqualTo("wait: node-0 still sees node-1 alive");
    }

    @Test
    void another_node_that_is_down_comes_first() {
        assertThat(next(dead().says(2, OperatingMode.DOWN), Map.of())).isEqualTo("wait: node-2 is DOWN: doing things");
    }

    @Test
    void others_that_are_down_do_not_block_it_on_request_but_one_that_joins_does() {
        Step beside = new ReplaceNode(Scene.node(1), true);
        assertThat(Verdicts.line(beside.next(dead().says(2, OperatingMode.DOWN).view(), ONE_AT_A_TIME, Map.of())))
                .startsWith("do {node-1 g2");
        assertThat(Verdicts.line(
                        beside.next(dead().says(2, OperatingMode.JOINING).view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-2 is JOINING: doing things");
    }

    @Test
    void no_request_changes_a_node_that_is_being_replaced() {
        Step restart = new RestartNode(Scene.node(1), false, true, "LOCAL_QUORUM");
        Scene scene = replaced().record(1, r -> r.decide(1)).says(1, OperatingMode.JOINING);
        assertThat(Verdicts.line(restart.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-1 is being replaced");
    }

    @Test
    void a_replacement_does_not_leave_the_ring_before_it_has_joined() {
        Step leave = new LeaveRing(Scene.node(1), 1);
        Scene scene = replaced().record(1, r -> r.decide(1)).says(1, OperatingMode.DOWN, 3, 0, PermanentFailure.EXITS);
        assertThat(Verdicts.line(leave.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: is still joining; it leaves once it has joined");
    }

    @Test
    void nothing_starts_before_the_former_allocation_is_free() {
        assertThat(next(replaced().stray("rides-dc1-node-1", AllocationState.Status.RUNNING), BEGUN))
                .isEqualTo("wait: the former allocation rides-dc1-node-1 on machine-2 is still in use");
        assertThat(next(replaced().stray("rides-dc1-node-1", AllocationState.Status.RELEASED), BEGUN))
                .isEqualTo("do {}[Reserve rides-dc1-node-1-2]: reserves its allocation on machine-2");
    }

    @Test
    void a_plan_of_the_spec_does_not_reserve_its_place_either_before_the_former_allocation_is_free() {
        Step deploy = new DeployNode(Scene.node(1), 1);
        assertThat(Verdicts.line(deploy.next(
                        replaced()
                                .stray("rides-dc1-node-1", AllocationState.Status.RESERVED)
                                .view(),
                        ONE_AT_A_TIME,
                        Map.of())))
                .isEqualTo("wait: the former allocation rides-dc1-node-1 on machine-2 is still in use");
        assertThat(Verdicts.line(deploy.next(
                        replaced()
                                .stray("rides-dc1-node-1", AllocationState.Status.RELEASED)
                                .view(),
                        ONE_AT_A_TIME,
                        Map.of())))
                .isEqualTo("do {}[Reserve rides-dc1-node-1-2]: reserves its allocation on machine-2");
    }

    @Test
    void the_target_names_the_replaced_endpoint_until_the_replacement_has_joined() {
        Scene scene = replaced();
        NodeRecord anew = scene.view().nodes().get(Scene.node(1));
        NodeTarget target = NodeTargets.of(scene.view(), anew);
        assertThat(target.replaces()).isEqualTo("127.1.1.2:7000");
        assertThat(NodeTargets.of(scene.view(), anew.seenNormal()).replaces()).isNull();
    }

    @Test
    void a_replacement_that_died_half_way_continues_on_its_machine_while_that_is_there() {
        Scene scene = replaced().stray("rides-dc1-node-1", AllocationState.Status.RELEASED);
        assertThat(next(scene, Map.of())).startsWith("do {}[Reserve rides-dc1-node-1-2]");
    }

    @Test
    void a_replacement_that_keeps_failing_gets_another_volume_once_it_is_requested_again() {
        Scene scene = replaced()
                .record(1, r -> r.decide(1))
                .says(1, OperatingMode.DOWN, 3, 0, PermanentFailure.EXITS)
                .with(Samples.machine(4, "r2"));
        for (Map<String, String> atWork : List.of(BEGUN, retried(BEGUN))) {
            assertThat(next(scene, atWork)).as("the request at work").doesNotContain("starts a replacement");
        }
        assertThat(next(scene, Map.of())).endsWith("starts a replacement on machine-4 for 127.1.1.2:7000");
    }

    /** The memory of a step that failed with this one, once its plan is retried. */
    private static Map<String, String> retried(Map<String, String> memory) {
        Map<String, String> whole = new TreeMap<>(memory);
        whole.put(DeployNode.STAGE, DeployNode.DECIDED);
        StepState failed = new StepState(
                "replace",
                StepState.REPLACE_NODE,
                Map.of(),
                whole,
                StepState.Status.FAILED,
                null,
                null,
                null,
                null,
                null);
        return failed.kept();
    }

    @Test
    void a_node_that_never_joined_has_nothing_to_take_over() {
        Scene scene = Scene.live(SPEC)
                .settled()
                .after(List.of(new Change.Put(Scene.placed(SPEC).view().nodes().get(Scene.node(1)))));
        assertThat(next(scene, Map.of())).contains("never joined the ring");
    }

    @Test
    void it_is_not_done_before_it_has_every_hint_because_the_next_lost_node_may_have_had_the_other_copy() {
        Scene scene = Scene.live(SPEC).settled();
        Map<String, String> checking = new TreeMap<>(BEGUN);
        checking.put(DeployNode.STAGE, DeployNode.DECIDED);
        checking.put(PostChangeCheck.NORMAL, scene.view().now().toString());
        assertThat(next(scene.hints(2, "host-1", 100), checking))
                .isEqualTo("wait: node-2 still keeps 100 B of hints for node-1");
        assertThat(next(scene.hints(2, "host-1", 0), checking)).contains("probes a write and a read");
    }
}
