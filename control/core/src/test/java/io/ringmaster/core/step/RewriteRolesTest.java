package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RewriteRolesTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2)
            .withRoles(List.of(
                    new RoleSpec(new RoleName("app"), true, false, PasswordSource.GENERATED, List.of(), List.of())));
    private static final RewriteRoles STEP = new RewriteRoles(Scene.RIDES, RoleTaskArgs.again(SPEC));
    private static final WriteRoles NEWER = new WriteRoles(Scene.RIDES, Map.of("drop", "app"));

    private static Verdict next(Scene scene, Map<String, String> memory) {
        return STEP.next(scene.view(), ONE_AT_A_TIME, memory);
    }

    @Test
    void a_node_writes_the_roles_with_their_passwords_and_leaves_the_replication_alone() {
        Scene scene = Scene.live(SPEC).settled();
        Verdict verdict = next(scene, Map.of());
        assertThat(verdict).isInstanceOf(Verdict.Do.class);
        scene.after(((Verdict.Do) verdict).changes());
        NodeTask task = scene.view().nodes().get(Scene.node(0)).task();
        assertThat(task).isNotNull();
        assertThat(task.kind()).isEqualTo(NodeTask.Kind.ACCESS);
        assertThat(task.args()).isEqualTo(Map.of("role.app", "login", "password.app", "generated"));
    }

    @Test
    void a_newer_spec_goes_first() {
        Scene scene = Scene.live(SPEC).settled().version(SPEC.withCassandraYaml(Map.of("concurrent_reads", 8)));
        assertThat(next(scene, Map.of()))
                .isEqualTo(new Verdict.Wait("the spec goes first: version 2 is not settled in dc1"));
    }

    @Test
    void the_replication_alone_is_brought_in_step_by_a_task_without_roles() {
        RewriteRoles replicate = new RewriteRoles(Scene.RIDES, Map.of("nodes", "dc1:3"));
        assertThat(replicate.name()).isEqualTo("replicate roles");
        Scene scene = Scene.live(SPEC).settled();
        Verdict verdict = replicate.next(scene.view(), ONE_AT_A_TIME, Map.of());
        scene.after(((Verdict.Do) verdict).changes());
        assertThat(scene.view().nodes().get(Scene.node(0)).task().args()).isEqualTo(Map.of("nodes", "dc1:3"));
        assertThat(new RewriteRoles(Scene.RIDES, Map.of("nodes", "dc1:2"))
                        .next(Scene.live(SPEC).settled().view(), ONE_AT_A_TIME, Map.of()))
                .as("the spec has another number of nodes by now")
                .isInstanceOf(Verdict.Done.class);
    }

    @Test
    void the_replication_alone_does_not_keep_the_operation_lock_until_a_node_is_back() {
        RewriteRoles replicate = new RewriteRoles(Scene.RIDES, Map.of("nodes", "dc1:3"));
        Scene scene = Scene.live(SPEC).settled();
        Verdict.Do begun = (Verdict.Do) replicate.next(scene.view(), ONE_AT_A_TIME, Map.of());
        scene.after(begun.changes());
        for (int i = 0; i < 3; i++) {
            scene.says(i, OperatingMode.DOWN);
        }
        Verdict verdict = replicate.next(scene.view(), ONE_AT_A_TIME, begun.memory());
        assertThat(verdict).isInstanceOf(Verdict.Failed.class);
        assertThat(((Verdict.Failed) verdict).problem().message())
                .isEqualTo("no node of dc1 is NORMAL and could alter the replication of roles");
        scene.after(((Verdict.Failed) verdict).changes());
        assertThat(scene.view().nodes().get(Scene.node(0)).task())
                .as("it would keep other plans from writing roles")
                .isNull();
        assertThat(next(scene, Map.of()))
                .as("a user who asked for the roles waits")
                .isEqualTo(new Verdict.Wait("no node of dc1 is NORMAL and free"));
    }

    @Test
    void roles_of_a_newer_spec_are_not_overwritten() {
        Scene scene = Scene.live(SPEC.withRoles(List.of())).settled();
        assertThat(next(scene, Map.of())).isInstanceOf(Verdict.Done.class);
        assertThat(scene.view().nodes().get(Scene.node(0)).task()).isNull();
    }

    /** The task is at node-0, which goes down before it ends; then a newer spec is applied. */
    private static Map<String, String> begun(Scene scene, ClusterSpec newer) {
        Verdict.Do begun = (Verdict.Do) next(scene, Map.of());
        scene.after(begun.changes()).says(0, OperatingMode.DOWN).version(newer);
        assertThat(begun.memory()).containsEntry("node", "rides/dc1/node-0");
        return begun.memory();
    }

    @Test
    void a_newer_spec_goes_before_another_node_gets_the_task() {
        Scene scene = Scene.live(SPEC).settled();
        Map<String, String> memory = begun(scene, SPEC.withCassandraYaml(Map.of("concurrent_reads", 8)));
        assertThat(next(scene, memory))
                .isEqualTo(new Verdict.Wait("the spec goes first: version 2 is not settled in dc1"));
    }

    @Test
    void no_other_node_gets_the_task_of_an_older_spec() {
        Scene scene = Scene.live(SPEC).settled();
        Map<String, String> memory = begun(scene, SPEC.withRoles(List.of()));
        assertThat(next(scene, memory)).isInstanceOf(Verdict.Done.class);
    }

    @Test
    void a_node_that_returns_does_not_write_the_roles_of_an_older_spec() {
        Scene scene = Scene.live(SPEC).settled();
        Map<String, String> memory = begun(scene, SPEC.withRoles(List.of()));
        Verdict deploy = NEWER.next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(((Verdict.Do) deploy).memory()).containsEntry("node", "rides/dc1/node-1");
        scene.after(((Verdict.Do) deploy).changes()).says(0, OperatingMode.NORMAL);
        assertThat(scene.view().nodes().get(Scene.node(0)).task()).isNull();
        assertThat(next(scene, memory)).isInstanceOf(Verdict.Done.class);
    }

    @Test
    void a_task_that_runs_ends_before_a_newer_spec_writes_its_roles() {
        Scene scene = Scene.live(SPEC).settled();
        Map<String, String> memory = begun(scene, SPEC.withRoles(List.of()));
        scene.says(0, OperatingMode.NORMAL);
        assertThat(NEWER.next(scene.view(), ONE_AT_A_TIME, Map.of()))
                .isEqualTo(new Verdict.Wait("node-0 writes roles already"));
        assertThat(next(scene, memory)).isEqualTo(new Verdict.Wait("the executor has not started the task yet"));
    }
}
