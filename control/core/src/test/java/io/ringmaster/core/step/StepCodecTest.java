package io.ringmaster.core.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.Preset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stored form of every step. A server of another version reads it, so it never changes. */
class StepCodecTest {
    private static final NodeId NODE = Scene.node(1);
    private static final MachineName MACHINE = new MachineName("machine-2");

    static List<Step> everyStep() {
        return List.of(
                new AcquireLock(RequestId.of("dc1-r7")),
                new AwaitDatacenter(Scene.RIDES, 7, Samples.DC2),
                new CollectBackups(Scene.RIDES, Map.of("keep_last", "4"), true),
                new CollectBackups(Scene.RIDES, Map.of("delete", "b1,b2"), false),
                new CommitBackup(Scene.RIDES, "20260101T120000Z-3f9c", Map.of("to", "main")),
                new DeployNode(NODE, 7),
                new DestroyVolume(Scene.RIDES, new AllocationId("rides-dc1-node-1")),
                new EvacuateNode(NODE, MACHINE, true),
                new ForgetCluster(Scene.RIDES),
                new LeaveRing(NODE, 7),
                new MarkRestored(Scene.RIDES),
                new ReconcileNodes(Scene.RIDES),
                new ReleaseNode(NODE, true),
                new ReleaseNode(NODE, false),
                new RepairRanges(Scene.RIDES, false, true, Map.of("intensity", "0.5")),
                new ReplaceNode(NODE, true),
                new RestartNode(NODE, true, false, "LOCAL_QUORUM,QUORUM"),
                new RewriteRoles(Scene.RIDES, Map.of("role.app", "login")),
                RunTask.requested(NODE, NodeTask.Kind.COMPACT, Map.of("keyspaces", "rides", "tables", "a,b"), false),
                RunTask.cleanupForSpec(NODE, Preset.DEVELOPMENT),
                RunTask.forSpec(NODE, NodeTask.Kind.REBUILD, Map.of("from", "dc2")),
                new RunTransfer(NODE, NodeTask.Kind.BACKUP_UPLOAD, Map.of("to", "main"), false),
                new RunTransfer(NODE, NodeTask.Kind.RESTORE_FETCH, Map.of("backup", "b1"), true),
                new StartStopNode(NODE, false),
                new StopNode(NODE),
                new SyncDatacenter(Scene.RIDES, 7, Samples.DC2),
                new VerifyRing(Scene.RIDES, 7),
                new WriteRoles(Scene.RIDES, Map.of("nodes", "dc1:3")));
    }

    @Test
    void no_step_of_the_catalogue_is_left_out_here() {
        Set<Class<?>> types = everyStep().stream().map(Step::getClass).collect(Collectors.toSet());
        assertThat(types).isEqualTo(Steps.types());
    }

    @Test
    void the_stored_form_of_every_step_is_stable() {
        assertThat(everyStep().stream().map(StepCodecTest::stored).collect(Collectors.joining("\n")))
                .isEqualTo(
                        """
                        acquire-lock {request=dc1-r7}
                        await-datacenter {cluster=rides, datacenter=dc2, spec_version=7}
                        collect-backups {after_backup=true, cluster=rides, transfer.keep_last=4}
                        collect-backups {cluster=rides, transfer.delete=b1,b2}
                        commit-backup {backup=20260101T120000Z-3f9c, cluster=rides, transfer.to=main}
                        deploy-node {node=rides/dc1/node-1, spec_version=7}
                        destroy-volume {cluster=rides, destroy_volume=true, volume=rides-dc1-node-1}
                        evacuate-node {allow_silent_peers=true, machine=machine-2, node=rides/dc1/node-1}
                        forget-cluster {cluster=rides}
                        leave-ring {node=rides/dc1/node-1, spec_version=7}
                        mark-restored {cluster=rides}
                        reconcile-nodes {cluster=rides}
                        release-node {destroy_volume=true, node=rides/dc1/node-1}
                        release-node {destroy_volume=false, node=rides/dc1/node-1}
                        repair-ranges {cluster=rides, gives_way=true, task.intensity=0.5}
                        replace-node {beside_down=true, node=rides/dc1/node-1}
                        restart-node {allow_silent_peers=false, consistency=LOCAL_QUORUM,QUORUM, \
                        node=rides/dc1/node-1, together=true}
                        rewrite-roles {cluster=rides, task.role.app=login}
                        run-task {allow_silent_peers=false, kind=COMPACT, node=rides/dc1/node-1, task.keyspaces=rides, \
                        task.tables=a,b}
                        run-task {allow_silent_peers=true, for_spec=true, kind=CLEANUP, node=rides/dc1/node-1}
                        run-task {allow_silent_peers=true, for_spec=true, kind=REBUILD, node=rides/dc1/node-1, \
                        task.from=dc2}
                        run-transfer {kind=BACKUP_UPLOAD, node=rides/dc1/node-1, transfer.to=main}
                        run-transfer {for_spec=true, kind=RESTORE_FETCH, node=rides/dc1/node-1, transfer.backup=b1}
                        start-stop-node {node=rides/dc1/node-1, on=false}
                        stop-node {node=rides/dc1/node-1}
                        sync-datacenter {cluster=rides, datacenter=dc2, spec_version=7}
                        verify-ring {cluster=rides, spec_version=7}
                        write-roles {cluster=rides, task.nodes=dc1:3}""");
    }

    private static String stored(Step step) {
        StepState state = Steps.pending(step);
        return state.type() + " " + state.args();
    }

    @ParameterizedTest
    @MethodSource("everyStep")
    void a_stored_step_reads_back_as_the_same_step(Step step) {
        assertThat(Steps.of(Steps.pending(step))).isEqualTo(step);
    }

    @ParameterizedTest
    @MethodSource("everyStep")
    void every_step_has_a_name(Step step) {
        assertThat(step.name()).isNotBlank();
    }

    @Test
    void a_missing_or_malformed_argument_is_named() {
        assertThatThrownBy(() -> Steps.of(state("stop-node", Map.of()))).hasMessage("argument 'node' is missing");
        assertThatThrownBy(() -> Steps.of(state("stop-node", Map.of("node", "one"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node 'one' must look like");
        assertThatThrownBy(() -> Steps.of(
                        state("run-task", Map.of("node", NODE.value(), "kind", "PAINT", "allow_silent_peers", "true"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no Kind 'PAINT'");
    }

    @Test
    void an_argument_that_a_newer_version_added_is_ignored() {
        assertThat(Steps.of(state("stop-node", Map.of("node", NODE.value(), "grace", "10s"))))
                .isEqualTo(new StopNode(NODE));
    }

    @Test
    void a_stored_step_is_of_one_type() {
        StepState stop = Steps.pending(new StopNode(NODE));
        assertThat(Steps.is(stop, StopNode.class)).isTrue();
        assertThat(Steps.as(stop, StopNode.class)).contains(new StopNode(NODE));
        assertThat(Steps.as(stop, DeployNode.class)).isEmpty();
        assertThat(Steps.as(state("stop-node", Map.of()), StopNode.class)).isEmpty();
    }

    @Test
    void a_component_that_cannot_be_stored_is_refused_when_the_catalogue_is_made() {
        assertThatThrownBy(() -> new StepCodec(Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight cannot be stored");
    }

    @Test
    void steps_of_an_older_plan_are_read_by_their_former_names() {
        assertThat(Steps.of(state("await-request", Map.of("request", "dc1-r1"))))
                .isEqualTo(new AcquireLock(RequestId.of("dc1-r1")));
        assertThat(Steps.of(state("switch-daemon", Map.of("node", NODE.value(), "on", "true"))))
                .isEqualTo(new StartStopNode(NODE, true));
    }

    private static StepState state(String type, Map<String, String> args) {
        return new StepState("a step", type, args, Map.of(), StepState.Status.PENDING, null, null, null, null, null);
    }

    private record Odd(double weight) implements Step {
        @Override
        public String name() {
            return "odd";
        }

        @Override
        public Verdict next(View view, Budget budget, Map<String, String> memory) {
            return new Verdict.Done(List.of(), "");
        }
    }
}
