package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.CommandLines;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.Verdicts;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On a pool that cannot resize what runs, other resources mean another launch. */
class RelaunchingTest {
    private static final PoolCapabilities PODS =
            new PoolCapabilities(false, false, false, true, PoolCapabilities.VolumeScope.ZONE);
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final NodeResources MORE =
            new NodeResources(1500, 2 * Samples.GIB, 512 * Samples.MIB, 4 * Samples.GIB);
    private static final ClusterSpec BIGGER = new ClusterSpec(
            SPEC.name(),
            SPEC.cassandraVersion(),
            SPEC.preset(),
            SPEC.datacenters(),
            MORE,
            SPEC.jvm(),
            SPEC.cassandraYaml(),
            SPEC.placement());

    /** Node 0 shall have more CPUs; the pool still reports what it had. */
    private static Scene decided() {
        return Scene.live(SPEC).pool(PODS).version(BIGGER).record(0, r -> r.withAllocation(
                        r.allocation().withResources(MORE))
                .decide(2));
    }

    private static List<String> commands(Scene scene) {
        return Recovery.of(scene.view(), Scene.RIDES).commands().stream()
                .map(CommandLines::of)
                .toList();
    }

    @Test
    void the_step_relaunches_the_node_instead_of_resizing_it() {
        Scene scene = Scene.live(SPEC).pool(PODS).version(BIGGER);
        assertThat(Verdicts.line(
                        new DeployNode(Scene.node(0), 2).next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of())))
                .contains("[Relaunch node-0 g2]");
    }

    @Test
    void a_broken_node_is_not_relaunched_beside_one_that_is_silent_because_it_may_have_started_after_all() {
        Scene scene = Scene.live(SPEC)
                .pool(PODS)
                .version(BIGGER)
                .says(0, OperatingMode.DOWN, 1, 0, PermanentFailure.EXITS)
                .silent(1);
        DeployNode step = new DeployNode(Scene.node(0), 2);
        assertThat(Verdicts.line(step.next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-1: its executor does not answer");
        scene.says(1, OperatingMode.NORMAL);
        assertThat(Verdicts.line(step.next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of())))
                .contains("[Relaunch node-0 g2]");
        scene.record(1, r -> r.withAllocation(r.allocation().withResources(MORE))
                        .decide(2))
                .says(1, OperatingMode.NORMAL, 1, 1, 0);
        assertThat(Verdicts.line(step.next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of())))
                .as("the target of node-1 is held back until node-0 is mended")
                .contains("[Relaunch node-0 g2]");
    }

    @Test
    void a_lost_relaunch_is_sent_again_and_the_target_only_after_it() {
        Scene lost =
                decided().reported(0, s -> s.withResources(SPEC.resources())).says(0, OperatingMode.NORMAL, 1, 1, 0);
        assertThat(commands(lost)).containsExactly("Relaunch node-0 g2");
        Scene done = decided().reported(0, s -> s.withResources(MORE)).says(0, OperatingMode.DOWN, 1, 1, 0);
        assertThat(commands(done)).containsExactly("Apply node-0 g2 v2 while down");
    }

    @Test
    void a_late_relaunch_waits_while_another_node_is_down() {
        Scene scene = decided()
                .reported(0, s -> s.withResources(SPEC.resources()))
                .says(0, OperatingMode.NORMAL, 1, 1, 0)
                .says(1, OperatingMode.DOWN);
        assertThat(commands(scene)).doesNotContain("Relaunch node-0 g2");
    }

    @Test
    void a_late_relaunch_of_a_node_that_is_down_waits_too_except_for_nodes_that_cannot_start() {
        Scene scene = decided()
                .reported(0, s -> s.withResources(SPEC.resources()))
                .says(0, OperatingMode.DOWN, 1, 1, 0)
                .says(1, OperatingMode.DOWN);
        assertThat(commands(scene)).isEmpty();
        assertThat(commands(scene.says(1, OperatingMode.DOWN, 1, 0, PermanentFailure.EXITS)))
                .containsExactly("Relaunch node-0 g2");
        assertThat(commands(scene.says(1, OperatingMode.NORMAL))).containsExactly("Relaunch node-0 g2");
    }

    @Test
    void two_nodes_that_are_down_and_are_to_be_relaunched_do_not_wait_for_each_other() {
        Scene scene = decided()
                .record(1, r -> r.withAllocation(r.allocation().withResources(MORE))
                        .decide(2))
                .reported(0, s -> s.withResources(SPEC.resources()))
                .reported(1, s -> s.withResources(SPEC.resources()))
                .says(0, OperatingMode.DOWN, 1, 1, 0)
                .says(1, OperatingMode.DOWN, 1, 1, 0);
        assertThat(commands(scene)).containsExactlyInAnyOrder("Relaunch node-0 g2", "Relaunch node-1 g2");
    }

    @Test
    void a_relaunched_node_that_starts_with_its_former_target_gets_the_new_one_while_no_other_is_down() {
        Scene started = decided().reported(0, s -> s.withResources(MORE)).says(0, OperatingMode.STARTING, 1, 1, 0);
        assertThat(commands(started)).containsExactly("Apply node-0 g2 v2");
        assertThat(commands(started.says(1, OperatingMode.DOWN))).isEmpty();
    }

    @Test
    void what_does_not_run_is_launched_and_not_relaunched() {
        assertThat(commands(decided().claim(0, Status.EXITED).says(0, OperatingMode.DOWN, 1, 1, 0)))
                .containsExactly("Launch node-0 g2");
    }

    @Test
    void a_late_relaunch_of_a_node_whose_executor_is_silent_waits_while_another_is_down() {
        Scene scene = decided()
                .reported(0, s -> s.withResources(SPEC.resources()))
                .says(0, OperatingMode.NORMAL, 1, 1, 0)
                .says(1, OperatingMode.DOWN);
        assertThat(commands(scene.silent(0))).doesNotContain("Relaunch node-0 g2");
        assertThat(commands(scene.unheard(0))).doesNotContain("Relaunch node-0 g2");
    }

    @Test
    void what_waits_for_resources_does_not_wait_for_more_than_is_decided_now() {
        Scene waiting = Scene.live(SPEC).pool(PODS).claim(0, Status.PENDING).silent(0);
        assertThat(commands(waiting)).isEmpty();
        Scene changed = waiting.version(BIGGER)
                .record(0, r -> r.withAllocation(r.allocation().withResources(MORE))
                        .decide(2));
        assertThat(commands(changed)).containsExactly("Relaunch node-0 g2");
    }
}
