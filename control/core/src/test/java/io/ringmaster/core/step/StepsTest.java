package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.node.ClientAccess.AWAITS_CREATION;
import static io.ringmaster.model.node.OperatingMode.DECOMMISSION_FAILED;
import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.JOINING;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final ClusterSpec ALONE = Samples.spec("rides", 3, 2);
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static String line(Step step, Scene scene) {
        return Verdicts.line(step.next(scene.view(), ONE_AT_A_TIME, Map.of()));
    }

    @Test
    void a_step_of_a_newer_version_is_named() {
        StepState unknown = new StepState(
                "paint", "paint-node", Map.of(), Map.of(), StepState.Status.PENDING, null, null, null, null, null);
        assertThatThrownBy(() -> Steps.of(unknown)).hasMessage("step 'paint' is of unknown type 'paint-node'");
        assertThat(Steps.readable(unknown)).isEmpty();
    }

    @Test
    void reconciliation_waits_for_the_pool_and_a_report_of_every_launched_node() {
        Step step = new ReconcileNodes(Scene.RIDES);
        assertThat(line(step, Scene.declared(ALONE).poolUnseen()))
                .isEqualTo("wait: the pool has not reported its machines yet");
        assertThat(line(step, Scene.declared(ALONE))).isEqualTo("done {}: 3 machines, 0 nodes already launched");
        assertThat(line(step, Scene.live(ALONE).unheard(1))).isEqualTo("wait: no report yet from node-1");
        assertThat(line(step, Scene.live(ALONE).silent(1))).isEqualTo("done {}: 3 machines, 3 nodes already launched");
    }

    @Test
    void a_first_creation_waits_until_the_other_datacenter_has_placed_its_nodes() {
        Step step = new SyncDatacenter(Scene.RIDES, 1, Samples.DC2);
        assertThat(line(step, Scene.placed(BOTH))).isEqualTo("wait: dc2 has not answered yet");
        assertThat(line(step, Scene.placed(BOTH).peerSilent())).isEqualTo("wait: dc2 is silent: unreachable");
        assertThat(line(step, Scene.placed(BOTH).peer(1, 1, 0, false, null)))
                .isEqualTo("wait: dc2 has placed 1 of 3 nodes");
        assertThat(line(step, Scene.placed(BOTH).peer(0, 1, 0, false, "no machine fits")))
                .isEqualTo("wait: dc2 cannot plan it: no machine fits");
        assertThat(line(step, Scene.placed(BOTH).version(ALONE).peer(3, 2, 0, false, null)))
                .isEqualTo("wait: dc2 has spec version 2, not 1");
        assertThat(line(step, Scene.placed(BOTH).peer(3, 1, 0, false, null)))
                .isEqualTo("done {}: dc1 <-> dc2: 4 seeds");
    }

    @Test
    void a_datacenter_waits_until_the_one_before_has_settled_the_version() {
        Step step = new AwaitDatacenter(Scene.RIDES, 2, Samples.DC2);
        Scene scene = Scene.live(BOTH).version(BOTH);
        assertThat(line(step, scene.peer(3, 2, 1, true, null)))
                .isEqualTo("wait: dc2 applies version 2 first; it has settled version 1");
        assertThat(line(step, scene.peerSilent()))
                .isEqualTo("wait: dc2 is silent: unreachable; dc2 applies version 2 first");
        assertThat(line(step, scene.peer(3, 2, 2, true, null))).isEqualTo("done {}: dc2 has settled version 2");
    }

    @Test
    void a_broken_node_does_not_wait_for_the_datacenter_before_and_one_that_is_only_down_does() {
        Step step = new AwaitDatacenter(Scene.RIDES, 2, Samples.DC2);
        Scene scene = Scene.live(BOTH).version(BOTH).peer(3, 2, 1, true, null);
        assertThat(line(step, scene.says(1, DOWN))).startsWith("wait: dc2 applies version 2 first");
        assertThat(line(step, scene.says(1, DOWN, 1, 0, 3)))
                .isEqualTo("done {}: node-1 has failed and is changed first; the other nodes wait for dc2");
        assertThat(line(step, scene.record(1, r -> r.decide(1)))).startsWith("wait: dc2 applies version 2 first");
    }

    @Test
    void a_node_that_lost_its_volume_while_it_leaves_is_removed_before_the_other_datacenter_is_awaited() {
        Step step = new AwaitDatacenter(Scene.RIDES, 2, Samples.DC2);
        Scene leaving = Scene.live(Samples.spec("rides", 3, 2)).record(2, r -> r.leave(null));
        assertThat(Verdicts.line(step.next(leaving.view(), ONE_AT_A_TIME, Map.of())))
                .startsWith("wait: ");
        assertThat(Verdicts.line(step.next(leaving.claimGone(2).view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("done {}: node-2 has failed and is changed first; the other nodes wait for dc2");
    }

    @Test
    void a_node_that_failed_to_leave_leaves_before_the_other_datacenter_is_awaited() {
        Step step = new AwaitDatacenter(Scene.RIDES, 1, Samples.DC2);
        Scene failed = Scene.live(Samples.spec("rides", 3, 2))
                .record(2, r -> r.leave(null))
                .says(2, DECOMMISSION_FAILED);
        assertThat(Verdicts.line(step.next(failed.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("done {}: node-2 has failed and is changed first; the other nodes wait for dc2");
        assertThat(new LeaveRing(Scene.node(2), 1).mayOvertake(failed.view())).isTrue();
    }

    @Test
    void a_datacenter_that_the_spec_removes_awaits_the_others_before_it_gives_up_its_replicas() {
        Scene removed = Scene.live(BOTH)
                .version(BOTH.withDatacenters(BOTH.datacenters().subList(1, 2)))
                .record(2, r -> r.leave(null))
                .says(2, DECOMMISSION_FAILED)
                .peer(3, 2, 1, true, null);
        assertThat(line(new AwaitDatacenter(Scene.RIDES, 2, Samples.DC2), removed))
                .isEqualTo("wait: dc2 applies version 2 first; it has settled version 1");
        assertThat(line(new AwaitDatacenter(Scene.RIDES, 1, Samples.DC2), removed))
                .as("while the spec named it")
                .startsWith("done ");
    }

    @Test
    void a_cluster_is_created_only_when_every_node_here_sees_every_node_everywhere() {
        Step step = new VerifyRing(Scene.RIDES, 1);
        Scene scene = Scene.placed(BOTH);
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven())
                    .claim(i, RUNNING)
                    .access(i, AWAITS_CREATION)
                    .says(i, NORMAL);
        }
        assertThat(line(step, scene)).isEqualTo("wait: dc2 has not answered yet");
        scene.peer(2, 1, 0, false, null);
        assertThat(line(step, scene)).isEqualTo("wait: dc2 has placed 2 of 3 nodes");
        scene.peer(3, 1, 0, false, null).remoteSeen(0, true).remoteSeen(1, true);
        assertThat(line(step, scene)).isEqualTo("wait: dc2 node-0 has not joined");
        for (int i = 0; i < 3; i++) {
            scene.peerNode(i, true, NORMAL);
        }
        assertThat(line(step, scene)).isEqualTo("wait: node-0 does not see NORMAL: " + Scene.remoteEndpoint(2));
        scene.remoteSeen(2, true);
        assertThat(line(step, scene))
                .isEqualTo("do {rides v1 created, node-0 g2 v1 good1 joined launched, "
                        + "node-1 g2 v1 good1 joined launched, node-2 g2 v1 good1 joined launched}[]: "
                        + "opens CQL on every node");
        assertThat(line(step, scene.says(2, JOINING))).isEqualTo("wait: node-0 does not see NORMAL: 127.1.1.3:7000");
        assertThat(line(step, scene.says(2, NORMAL).peerSilent())).startsWith("wait: dc2 is silent");
    }

    @Test
    void a_cluster_is_not_created_while_a_datacenter_that_left_its_spec_has_nodes() {
        Scene scene = Scene.placed(BOTH).version(ALONE);
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(2).proven())
                    .claim(i, RUNNING)
                    .access(i, AWAITS_CREATION)
                    .says(i, NORMAL);
        }
        Step step = new VerifyRing(Scene.RIDES, 2);
        assertThat(line(step, scene)).startsWith("do {rides v2 created");
        scene.peer(3, 1, 0, false, null);
        assertThat(line(step, scene))
                .isEqualTo("wait: dc2 has node-0, which could still join: name dc2 in the spec until the cluster is"
                        + " complete");
    }

    @Test
    void a_live_ring_is_verified_without_the_nodes_that_others_have_still_to_join() {
        Scene scene = Scene.live(BOTH).peer(3, 1, 1, false, null);
        assertThat(line(new VerifyRing(Scene.RIDES, 1), scene))
                .isEqualTo("done {}: every node sees all 3 NORMAL, one schema version");
    }

    @Test
    void a_node_is_stopped_by_storing_the_decision_and_killing_it_until_nothing_runs() {
        Step step = new StopNode(Scene.node(0));
        Scene scene = Scene.live(ALONE);
        assertThat(line(step, scene))
                .isEqualTo("do {node-0 g2 v1 good1 joined}[Kill rides-dc1-node-0, Forget node-0]: "
                        + "stops executor and daemon");
        scene.record(0, NodeRecord::takenAway);
        assertThat(line(step, scene)).isEqualTo("do {}[Kill rides-dc1-node-0]: stops executor and daemon");
        assertThat(line(step, scene.claim(0, EXITED))).startsWith("do {}[Kill");
        assertThat(line(step, scene.claim(0, RESERVED))).isEqualTo("done {}: nothing runs");
        assertThat(line(step, scene.poolUnseen())).isEqualTo("wait: the pool has not reported its machines yet");
        assertThat(line(step, Scene.declared(ALONE))).isEqualTo("done {}: already gone");
    }

    @Test
    void a_released_node_is_forgotten_and_its_volume_is_destroyed_only_on_request() {
        Scene scene = Scene.live(ALONE).record(0, NodeRecord::takenAway).claim(0, RESERVED);
        Step keep = new ReleaseNode(Scene.node(0), false);
        Step destroy = new ReleaseNode(Scene.node(0), true);
        assertThat(line(keep, scene))
                .isEqualTo("do {}[Release rides-dc1-node-0 keep]: releases its allocation, keeps its volume");
        assertThat(line(destroy, scene)).isEqualTo("do {}[Release rides-dc1-node-0 destroy]: destroys its volume");
        scene.claim(0, RELEASED);
        assertThat(line(keep, scene))
                .as("with a record of the volume")
                .isEqualTo("done {-nodes/rides/dc1/node-0, rides v1 created}:"
                        + " volume rides-dc1-node-0 kept on machine-1");
        assertThat(line(destroy, scene)).startsWith("do {}[Release");
        assertThat(line(destroy, scene.claimGone(0))).isEqualTo("done {-nodes/rides/dc1/node-0}: it has no allocation");
        assertThat(line(destroy, scene.poolUnseen())).startsWith("wait:");
    }

    @Test
    void of_a_deleted_cluster_only_the_deletion_of_its_newest_version_is_kept() {
        Scene scene = Scene.declared(ALONE).version(ALONE).created().deleting();
        assertThat(line(new ForgetCluster(Scene.RIDES), scene))
                .isEqualTo("done {rides v2 deleting, -specs/rides/1}: deleted here");
    }
}
