package io.ringmaster.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
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
        return Verdicts.line(new LeaveRing(Scene.node(2), 1).next(scene.view(), memory));
    }

    private static Scene leaving() {
        return Scene.live(SPEC).record(2, r -> r.leave(TASK)).says(2, OperatingMode.LEAVING);
    }

    @Test
    void a_node_is_asked_to_leave_when_all_are_well() {
        Verdict verdict = new LeaveRing(Scene.node(2), 1).next(Scene.live(SPEC).view(), Map.of());
        assertThat(Verdicts.line(verdict))
                .isEqualTo("do {node-2 g2 v1 good1 joined launched}[Apply node-2 g2 v1]: "
                        + "hands its ranges over to the others");
        NodeRecord decided =
                (NodeRecord) ((Change.Put) ((Verdict.Do) verdict).changes().get(0)).record();
        assertThat(decided.leaving()).isTrue();
        assertThat(decided.task()).isEqualTo(TASK);
    }

    @Test
    void it_waits_while_another_node_or_the_node_itself_is_down() {
        assertThat(next(Scene.live(SPEC).says(0, OperatingMode.DOWN), Map.of()))
                .isEqualTo("wait: node-0 is DOWN: doing things");
        assertThat(next(Scene.live(SPEC).says(2, OperatingMode.DOWN), Map.of()))
                .isEqualTo("wait: node-2 is DOWN: doing things");
    }

    @Test
    void it_is_done_when_nothing_of_the_node_is_left_but_its_volume() {
        assertThat(next(leaving(), BEGUN)).isEqualTo("wait: node-2 is LEAVING: doing things");
        assertThat(next(leaving().record(2, NodeRecord::takenAway), BEGUN))
                .isEqualTo("wait: has left the ring; its place is given back");
        assertThat(next(leaving().after(List.of(new Change.Remove(NodeRecord.key(Scene.node(2))))), BEGUN))
                .isEqualTo("done {}: left the ring; volume rides-dc1-node-2 on machine-3 is kept");
    }

    @Test
    void a_node_that_an_older_plan_has_leave_is_followed_and_not_asked_again() {
        assertThat(next(leaving(), Map.of())).isEqualTo("do {}[]: is leaving already");
    }

    @Test
    void what_cassandra_says_against_it_fails_the_step() {
        Scene refused = leaving().says(2, OperatingMode.NORMAL).task(2, TaskStatus.State.FAILED, "3 replicas");
        assertThat(next(refused, BEGUN)).isEqualTo("failed TASK_FAILED: rides/dc1/node-2 does not leave: 3 replicas");
    }

    @Test
    void a_node_that_joins_leaves_after_that_and_one_that_never_will_is_taken_away() {
        Scene joining = Scene.live(SPEC)
                .after(List.of(new Change.Put(
                        Scene.placed(SPEC).view().nodes().get(Scene.node(2)).decide(1))))
                .says(2, OperatingMode.JOINING);
        assertThat(next(joining, Map.of())).isEqualTo("wait: is still joining, and leaves after that");
        assertThat(next(joining.says(2, OperatingMode.DOWN, 1, 1, Breakage.EXITS), Map.of()))
                .isEqualTo("do {node-2 g3 v1 good0}[Kill rides-dc1-node-2, Forget node-2]: "
                        + "never joined the ring; ends executor and daemon");
    }

    @Test
    void what_must_be_done_before_nodes_leave_is_not_left_out_while_its_node_is_being_replaced() {
        Step replicate =
                RunTask.forSpec(Scene.node(2), NodeTask.Kind.REPLICATE, Map.of("datacenter", "dc1", "nodes", "0"));
        Scene scene = Scene.live(Samples.spec("rides", 3, 2)).record(2, r -> r.replacedAt(r.allocation()));
        assertThat(Verdicts.line(replicate.next(scene.view(), Map.of()))).isEqualTo("wait: node-2 is being replaced");
    }
}
