package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.NodeTask;
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
    void roles_of_a_newer_spec_are_not_overwritten() {
        Scene scene = Scene.live(SPEC.withRoles(List.of())).settled();
        assertThat(next(scene, Map.of())).isInstanceOf(Verdict.Done.class);
        assertThat(scene.view().nodes().get(Scene.node(0)).task()).isNull();
    }
}
