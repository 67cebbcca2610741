package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaveRingTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final NodeTask TASK = new NodeTask("decommission-node-2-2", NodeTask.Kind.DECOMMISSION, Map.of());
    private static final Map<String, String> BEGUN =
            Map.of("task", TASK.id(), "volume", "rides-dc1-node-2 on machine-3");

    private static String next(Scene scene, Map<String, String> memory) {
        return Verdicts.line(new LeaveRing(Scene.node(2), 1).next(scene.view(), ONE_AT_A_TIME, memory));
    }

    private static Scene leaving() {
        return Scene.live(SPEC).record(2, r -> r.leave(TASK)).says(2, OperatingMode.LEAVING);
    }

    @Test
    void a_node_is_asked_to_leave_when_all_are_healthy() {
        Scene scene = Scene.live(SPEC).replicas("trips", 1);
        Verdict verdict = new LeaveRing(Scene.node(2), 1).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(Verdicts.line(verdict))
                .startsWith("do {node-2 g2 v1 good1 joined launched, ")
                .endsWith("}[Apply node-2 g2 v1]: streams its ranges to the other nodes");
        NodeRecord decided =
                (NodeRecord) ((Change.Put) ((Verdict.Do) verdict).changes().get(0)).record();
        assertThat(decided.leaving()).isTrue();
        assertThat(decided.task()).isEqualTo(TASK);
    }

    @Test
    void its_heirs_must_repair() {
        Scene scene = Scene.live(SPEC).replicas("trips", 1);
        Verdict.Do verdict = (Verdict.Do) new LeaveRing(Scene.node(2), 1).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(scene.after(verdict.changes()).view().nodesOf(Scene.RIDES))
                .filteredOn(NodeRecord::owesRepair)
                .extracting(n -> n.id().shortName())
                .containsExactly("node-0");
    }

    @Test
    void an_order_that_is_held_back_because_another_node_broke_holds_up_no_fix() {
        Scene scene = Scene.live(SPEC).record(2, r -> r.leave(TASK));
        LeaveRing step = new LeaveRing(Scene.node(2), 1);
        assertThat(step.isHeld(scene.view(), BEGUN)).isFalse();
        assertThat(step.isHeld(scene.says(0, OperatingMode.DOWN).view(), BEGUN)).isTrue();
    }

    @Test
    void it_waits_while_another_node_or_the_node_itself_is_down() {
        assertThat(next(Scene.live(SPEC).says(0, OperatingMode.DOWN), Map.of()))
                .isEqualTo("wait: node-0 is DOWN: doing things");
        assertThat(next(Scene.live(SPEC).says(2, OperatingMode.DOWN), Map.of()))
                .isEqualTo("wait: node-2 is DOWN: doing things");
    }

    @Test
    void it_is_done_when_only_the_volume_of_the_node_is_left() {
        assertThat(next(leaving(), BEGUN)).isEqualTo("wait: node-2 is LEAVING: doing things");
        assertThat(next(leaving().record(2, NodeRecord::takenAway), BEGUN))
                .isEqualTo("wait: has left the ring; its allocation is being released");
        assertThat(next(leaving().after(List.of(new Change.Remove(new RecordKey.OfNode(Scene.node(2))))), BEGUN))
                .isEqualTo("done {}: left the ring; volume rides-dc1-node-2 on machine-3 is kept");
    }

    @Test
    void a_node_that_leaves_because_of_an_older_plan_is_not_asked_again() {
        assertThat(next(leaving(), Map.of())).isEqualTo("do {}[]: is already leaving");
    }

    @Test
    void a_refusal_by_cassandra_fails_the_step() {
        Scene refused = leaving().says(2, OperatingMode.NORMAL).task(2, TaskStatus.State.FAILED, "3 replicas");
        assertThat(next(refused, BEGUN)).isEqualTo("failed TASK_FAILED: rides/dc1/node-2 does not leave: 3 replicas");
    }

    @Test
    void a_joining_node_leaves_after_it_has_joined_and_one_that_never_will_is_removed() {
        Scene joining = Scene.live(SPEC)
                .after(List.of(new Change.Put(
                        Scene.placed(SPEC).view().nodes().get(Scene.node(2)).decide(1))))
                .says(2, OperatingMode.JOINING);
        assertThat(next(joining, Map.of())).isEqualTo("wait: is still joining; it leaves once it has joined");
        assertThat(next(joining.says(2, OperatingMode.DOWN, 1, 1, PermanentFailure.EXITS), Map.of()))
                .isEqualTo("do {node-2 g3 v1 good0}[Kill rides-dc1-node-2, Forget node-2]: "
                        + "never joined the ring; stops executor and daemon");
    }

    @Test
    void a_node_that_was_lost_before_the_cluster_was_created_is_left_out() {
        Scene lost = Scene.placed(SPEC).record(2, r -> r.decide(1)).machineLost(2);
        assertThat(new LeaveRing(Scene.node(2), 1).mayOvertake(lost.view())).isTrue();
        assertThat(next(lost, Map.of()))
                .isEqualTo("do {node-2 g3 v1 good0}[Kill rides-dc1-node-2, Forget node-2]: "
                        + "never joined the ring; stops executor and daemon");
        Scene created =
                Scene.placed(SPEC).record(2, r -> r.decide(1)).machineLost(2).created();
        assertThat(new LeaveRing(Scene.node(2), 1).mayOvertake(created.view())).isFalse();
        assertThat(next(created, Map.of())).startsWith("wait: ");
    }

    @Test
    void a_task_before_nodes_leave_waits_while_its_node_is_being_replaced() {
        Step replicate =
                RunTask.forSpec(Scene.node(2), NodeTask.Kind.REPLICATE, Map.of("datacenter", "dc1", "nodes", "0"));
        Scene scene = Scene.live(Samples.spec("rides", 3, 2))
                .record(2, r -> r.replacedAt(r.allocation(), Scene.endpoint(r), Scene.NOW));
        assertThat(Verdicts.line(replicate.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-2 is being replaced; no plan continues that:"
                        + " ringmaster node replace rides/dc1/node-2");
    }

    @Test
    void a_node_that_loses_its_volume_while_it_leaves_is_removed_from_the_ring_by_another() {
        Scene lost = leaving().claimGone(2).says(2, OperatingMode.DOWN);
        LeaveRing step = new LeaveRing(Scene.node(2), 1);
        assertThat(step.mayOvertake(leaving().view())).isFalse();
        assertThat(step.mayOvertake(lost.view())).isTrue();
        Verdict asked = step.next(lost.view(), ONE_AT_A_TIME, BEGUN);
        assertThat(Verdicts.line(asked))
                .isEqualTo("do {node-0 g2 v1 good1 joined launched}[Apply node-0 g2 v1]: "
                        + "its volume is lost: node-0 removes it from the ring");
        Map<String, String> memory = ((Verdict.Do) asked).memory();
        Scene removing = lost.after(((Verdict.Do) asked).changes()).says(0, OperatingMode.NORMAL);
        assertThat(removing.view().nodes().get(Scene.node(0)).task())
                .isEqualTo(new NodeTask("remove-node-2-2", NodeTask.Kind.REMOVE, Map.of("host", "host-2")));
        assertThat(next(removing.task(0, TaskStatus.State.RUNNING, "streams"), memory))
                .isEqualTo("wait: node-0: remove: streams");
        assertThat(next(removing.task(0, TaskStatus.State.DONE, "done"), memory))
                .isEqualTo("wait: is removed from the ring; the other nodes must see that");
        assertThat(next(removing.task(0, TaskStatus.State.FAILED, "no reply"), memory))
                .isEqualTo("failed TASK_FAILED: node-0 cannot remove rides/dc1/node-2 from the ring: no reply");
        Scene gone = removing.task(0, TaskStatus.State.DONE, "done")
                .after(List.of(new Change.Remove(new RecordKey.OfNode(Scene.node(2)))));
        assertThat(next(gone, memory))
                .endsWith("lost its volume while it was leaving; node-0 removed it from the ring");
    }

    @Test
    void a_pool_that_refuses_to_launch_what_it_does_not_have_has_lost_the_volume() {
        Problem missing = Problem.of(ErrorCode.MACHINE_LOST, "the allocation is not reserved");
        Problem other = Problem.of(ErrorCode.POOL_UNAVAILABLE, "the executor could not be started");
        Scene down = leaving().says(2, OperatingMode.DOWN);
        assertThat(next(down.failed(2, missing, Scene.NOW), BEGUN))
                .endsWith("its volume is lost: node-0 removes it from the ring");
        assertThat(new LeaveRing(Scene.node(2), 1)
                        .mayOvertake(down.failed(2, other, Scene.NOW).view()))
                .isFalse();
    }

    @Test
    void a_lost_node_is_removed_only_while_the_others_are_healthy() {
        Scene lost = leaving().claimGone(2).says(2, OperatingMode.DOWN).says(0, OperatingMode.DOWN);
        assertThat(next(lost, BEGUN))
                .isEqualTo("wait: its volume is lost; before another node removes it from the ring: "
                        + "node-0 is DOWN: doing things");
    }

    @Test
    void a_removal_that_was_forgotten_meanwhile_is_requested_again() {
        Scene lost = leaving().claimGone(2).says(2, OperatingMode.DOWN);
        Map<String, String> memory = Map.of("task", "remove-node-2-2", "remover", "rides/dc1/node-0");
        assertThat(next(lost, memory)).endsWith("its volume is lost: node-0 removes it from the ring");
    }
}
