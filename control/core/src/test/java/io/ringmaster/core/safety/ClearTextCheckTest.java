package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.CommandLines;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.PeerReportBuilder;
import io.ringmaster.core.decide.ReconcilePass;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An executor of an earlier release beside a spec with TLS. */
class ClearTextCheckTest {
    private static final ClusterSpec CLEAR = Samples.spec("rides", 1, 1);
    private static final TlsStatus BETWEEN_NODES =
            new TlsStatus(null, null, List.of(), null, null, false, null, null, null);
    private static final ClusterSpec ENCRYPTED = CLEAR.with(TlsSpec.INTERNODE);

    /** The executor of its one node answers for the first time. */
    private static Scene launched(ClusterSpec spec) {
        return Scene.placed(spec)
                .record(0, r -> r.decide(1))
                .claim(0, AllocationState.Status.RUNNING)
                .says(0, OperatingMode.DOWN, 0, 0, 0);
    }

    private static List<String> targets(Scene scene) {
        return ReconcilePass.over(scene.view(), Set.of(Scene.RIDES), Map.of(), Steps::of, 1).commands().stream()
                .map(CommandLines::of)
                .filter(c -> c.startsWith("Apply"))
                .toList();
    }

    private static boolean needsTargetAgain(Scene scene) {
        return ClearTextCheck.needsTargetAgain(
                scene.view(), scene.view().nodes().get(Scene.node(0)));
    }

    private static String waits(Scene scene) {
        Verdict verdict = new DeployNode(Scene.node(0), 1)
                .next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of("stage", "decided"));
        return ((Verdict.Wait) verdict).reason();
    }

    @Test
    void an_executor_that_does_not_know_tls_gets_no_target_with_it() {
        assertThat(targets(launched(ENCRYPTED))).isEmpty();
        assertThat(targets(launched(ENCRYPTED).knowsTls(0))).containsExactly("Apply node-0 g2 v1 first");
        assertThat(targets(launched(CLEAR))).containsExactly("Apply node-0 g2 v1 first");
    }

    @Test
    void an_executor_that_knows_tls_between_nodes_alone_gets_no_target_with_tls_for_clients() {
        ClusterSpec spec = CLEAR.with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL));
        assertThat(targets(launched(spec).tls(0, BETWEEN_NODES))).isEmpty();
        assertThat(waits(launched(spec).tls(0, BETWEEN_NODES))).contains("does not know TLS for CQL clients");
        assertThat(targets(launched(spec).knowsTls(0))).containsExactly("Apply node-0 g2 v1 first");
        assertThat(targets(launched(ENCRYPTED).tls(0, BETWEEN_NODES))).containsExactly("Apply node-0 g2 v1 first");
    }

    @Test
    void a_restart_of_a_node_whose_executor_was_put_back_to_an_earlier_release_is_not_sent() {
        Scene scene = Scene.live(ENCRYPTED).record(0, r -> r.restart());
        assertThat(targets(scene)).isEmpty();
        assertThat(targets(scene.knowsTls(0))).containsExactly("Apply node-0 g2 v1");
    }

    private static final NodeTask REPAIR = new NodeTask("task-1", NodeTask.Kind.REPAIR, Map.of());
    private static final ClusterSpec FOR_CLIENTS =
            Samples.spec("rides", 3, 2).with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED));

    /** Three nodes that follow targets which a release without TLS for clients has written. */
    private static Scene putBack(TlsSpec followed) {
        Scene scene = Scene.live(FOR_CLIENTS).created();
        for (int i = 0; i < 3; i++) {
            scene.tls(i, TlsStatus.UNUSED.following(followed));
        }
        return scene;
    }

    @Test
    void a_target_that_lacks_tls_for_clients_is_sent_again_to_one_node_at_a_time() {
        Scene scene = putBack(TlsSpec.INTERNODE);
        assertThat(targets(scene)).containsExactly("Apply node-0 g1 v1");
        assertThat(targets(scene.says(0, OperatingMode.DRAINING).tls(0, TlsStatus.UNUSED.following(FOR_CLIENTS.tls()))))
                .as("while it restarts")
                .isEmpty();
        assertThat(targets(scene.says(0, OperatingMode.NORMAL).tls(0, TlsStatus.UNUSED.following(FOR_CLIENTS.tls()))))
                .containsExactly("Apply node-1 g1 v1");
        assertThat(targets(putBack(FOR_CLIENTS.tls()))).isEmpty();
    }

    @Test
    void a_target_that_restarts_a_node_for_clients_waits_for_its_task_and_one_for_tls_between_nodes_does_not() {
        Scene scene =
                putBack(FOR_CLIENTS.tls()).record(0, r -> r.withTask(REPAIR)).says(0, OperatingMode.NORMAL);
        assertThat(needsTargetAgain(scene.tls(0, TlsStatus.UNUSED.following(TlsSpec.INTERNODE))))
                .isFalse();
        assertThat(needsTargetAgain(scene.tls(0, TlsStatus.UNUSED.following(TlsSpec.OFF))))
                .isTrue();
        assertThat(needsTargetAgain(putBack(TlsSpec.INTERNODE)))
                .as("without a task")
                .isTrue();
    }

    @Test
    void a_target_that_is_refused_for_its_weaker_tls_is_named_with_the_next_step() {
        Scene scene = putBack(FOR_CLIENTS.tls())
                .version(FOR_CLIENTS.with(TlsSpec.INTERNODE))
                .record(0, r -> r.decide(2));
        NodeRecord node = scene.view().nodes().get(Scene.node(0));
        assertThat(AvailabilityCheck.unsettled(scene.view(), node))
                .contains(
                        "node-0 refuses its newest target, whose TLS is weaker: a server of an earlier release dropped"
                                + " it from the spec -> apply the spec with tls: {internode: required, clients:"
                                + " required}");
        assertThat(ClearTextCheck.refusedFor(scene.view(), scene.view().nodes().get(Scene.node(1))))
                .as("it has its newest target")
                .isEmpty();
    }

    @Test
    void a_node_without_tls_for_clients_is_not_settled_here_and_in_other_datacenters() {
        Scene scene = putBack(TlsSpec.INTERNODE);
        NodeRecord node = scene.view().nodes().get(Scene.node(0));
        assertThat(AvailabilityCheck.unsettled(scene.view(), node))
                .contains("node-0 follows a target without TLS for CQL clients");
        assertThat(PeerReportBuilder.part(scene.view(), Scene.RIDES, null)
                        .orElseThrow()
                        .nodes()
                        .get(0)
                        .activity())
                .isEqualTo(NodePart.APPLYING);
    }

    @Test
    void targets_that_lack_tls_between_nodes_are_sent_again_together() {
        assertThat(targets(putBack(TlsSpec.OFF)))
                .containsExactly("Apply node-0 g1 v1", "Apply node-1 g1 v1", "Apply node-2 g1 v1");
    }

    @Test
    void the_step_names_the_executor_and_the_next_step() {
        assertThat(waits(launched(ENCRYPTED)))
                .isEqualTo("node-0: its executor (pid 1) is of an earlier release, which does not know TLS between"
                        + " nodes and would start it in clear text -> update the executor's program on machine-1, or in"
                        + " the pool's image, and end this executor: the next one gets the target");
        assertThat(waits(launched(ENCRYPTED).knowsTls(0))).isEqualTo("executor takes the new target");
        assertThat(waits(launched(CLEAR))).isEqualTo("executor takes the new target");
    }
}
