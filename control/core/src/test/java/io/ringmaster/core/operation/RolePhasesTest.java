package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.RoleSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RolePhasesTest {
    private static final RoleSpec READERS = role("readers", null, List.of(), RolePermission.SELECT);
    private static final RoleSpec APP = role("app", "app-1", List.of("readers"), RolePermission.MODIFY);
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of(READERS, APP));

    private static RoleSpec role(
            String name, @Nullable String password, List<String> groups, RolePermission... permissions) {
        return new RoleSpec(
                new RoleName(name),
                password != null,
                false,
                password == null ? null : PasswordSource.of("file:" + password),
                groups.stream().map(RoleName::new).toList(),
                List.of(new RoleGrant(List.of(permissions), "data/trips")));
    }

    private static List<Phase> phases(Scene scene) {
        Planned planned = new Deploy().plan(scene.view(), Scene.RIDES, Map.of());
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        return ((Planned.Draft) planned).phases();
    }

    private static List<String> names(Scene scene) {
        return phases(scene).stream().map(Phase::name).toList();
    }

    private static Map<String, String> args(Scene scene) {
        return phases(scene).stream()
                .flatMap(p -> p.steps().stream())
                .flatMap(s -> Steps.as(s, WriteRoles.class).stream())
                .findFirst()
                .orElseThrow()
                .taskArgs();
    }

    private static Scene liveInBoth(ClusterSpec spec) {
        return Scene.live(spec).settled().peer(3, 1, 1, true, null);
    }

    @Test
    void a_new_cluster_gets_its_roles_once_its_ring_is_verified() {
        Scene scene = Scene.declared(BOTH).peer(3, 1, 1, false, null);
        assertThat(names(scene)).endsWith("verify", "roles");
        assertThat(args(scene))
                .isEqualTo(Map.of(
                        "nodes", "dc1:3,dc2:3",
                        "role.readers", "",
                        "grant.readers", "SELECT data/trips",
                        "role.app", "login",
                        "password.app", "file:app-1",
                        "member_of.app", "readers",
                        "grant.app", "MODIFY data/trips"));
    }

    @Test
    void only_the_first_datacenter_writes_roles_and_no_other_waits_for_it() {
        ClusterSpec second = BOTH.withDatacenters(
                List.of(BOTH.datacenters().get(1), BOTH.datacenters().get(0)));
        assertThat(names(Scene.declared(second).peer(3, 1, 1, false, null))).endsWith("verify");
    }

    @Test
    void a_cluster_without_roles_is_not_touched() {
        Scene open = Scene.declared(BOTH.withRoles(null)).peer(3, 1, 1, false, null);
        assertThat(names(open)).doesNotContain("roles");
    }

    @Test
    void a_change_of_roles_takes_back_what_the_former_spec_declared() {
        RoleSpec app = role("app", "app-2", List.of(), RolePermission.SELECT);
        Scene scene = liveInBoth(BOTH).version(BOTH.withRoles(List.of(app)));
        assertThat(names(scene)).containsExactly("reconciliation", "roles", "verify");
        assertThat(args(scene))
                .isEqualTo(Map.of(
                        "nodes", "dc1:3",
                        "role.app", "login",
                        "password.app", "file:app-2",
                        "leave.app", "readers",
                        "grant.app", "SELECT data/trips",
                        "revoke.app", "MODIFY data/trips",
                        "drop", "readers"));
    }

    @Test
    void the_roles_of_a_first_version_whose_deploy_did_not_end_are_taken_back_too() {
        Scene scene = Scene.live(BOTH).peer(3, 1, 1, true, null).version(BOTH.withRoles(List.of(READERS)));
        assertThat(args(scene)).containsEntry("drop", "app").containsEntry("grant.readers", "SELECT data/trips");
    }

    @Test
    void roles_that_were_never_written_to_their_end_are_written_whatever_changes() {
        Scene scene = Scene.live(BOTH)
                .peer(3, 1, 1, true, null)
                .version(BOTH.withCassandraYaml(Map.of("concurrent_reads", 8)));
        assertThat(args(scene)).containsEntry("role.app", "login").doesNotContainKey("drop");
    }

    @Test
    void another_change_leaves_roles_alone() {
        Scene scene = liveInBoth(BOTH).version(BOTH.withCassandraYaml(Map.of("concurrent_reads", 8)));
        assertThat(names(scene)).doesNotContain("roles", "repair-roles");
    }

    @Test
    void roles_lose_a_replica_before_its_node_leaves() {
        Scene scene = Scene.live(Samples.spec("rides", 3, 2).withRoles(List.of(APP)))
                .settled()
                .version(Samples.spec("rides", 2, 2).withRoles(List.of(APP)));
        assertThat(names(scene)).containsSubsequence("roles", "leave", "verify").doesNotContain("repair-roles");
        assertThat(args(scene)).containsEntry("nodes", "dc1:2");
    }

    @Test
    void only_the_first_datacenter_writes_roles_again() {
        Planned here = new RoleRewrite().plan(liveInBoth(BOTH).view(), Scene.RIDES, Map.of());
        assertThat(here).isInstanceOf(Planned.Draft.class);
        ClusterSpec second = BOTH.withDatacenters(
                List.of(BOTH.datacenters().get(1), BOTH.datacenters().get(0)));
        Planned there = new RoleRewrite().plan(liveInBoth(second).view(), Scene.RIDES, Map.of());
        assertThat(there).isEqualTo(new Planned.NotConcerned("a node of dc2 writes the roles"));
    }
}
