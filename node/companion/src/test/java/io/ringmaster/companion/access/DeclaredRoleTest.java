package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.apache.cassandra.auth.DataResource;
import org.apache.cassandra.auth.Permission;
import org.junit.jupiter.api.Test;

class DeclaredRoleTest {
    @Test
    void a_role_is_read_from_the_arguments_of_a_task() {
        DeclaredRole role = DeclaredRole.of(Map.of(
                        "nodes", "dc1:3",
                        "role.app", "login",
                        "password.app", "file:app",
                        "hash.app", "$2a$10$x",
                        "member_of.app", "readers,writers",
                        "grant.app", "SELECT+MODIFY data/trips,SELECT data/rides/places",
                        "revoke.app", "CREATE data"))
                .get(0);
        assertThat(role.name()).isEqualTo("app");
        assertThat(role.login()).isTrue();
        assertThat(role.superuser()).isFalse();
        assertThat(role.memberOf()).isEqualTo(Set.of("readers", "writers"));
        assertThat(role.grants())
                .containsExactly(
                        new DeclaredGrant(Set.of(Permission.SELECT, Permission.MODIFY), DataResource.keyspace("trips")),
                        new DeclaredGrant(Set.of(Permission.SELECT), DataResource.table("rides", "places")));
        assertThat(role.revokes()).containsExactly(new DeclaredGrant(Set.of(Permission.CREATE), DataResource.root()));
        assertThat(role.toString()).doesNotContain("$2a$");
    }

    @Test
    void all_permissions_are_those_that_the_resource_has() {
        assertThat(DeclaredGrant.of("ALL data/rides/places").permissions())
                .contains(Permission.SELECT, Permission.MODIFY)
                .doesNotContain(Permission.CREATE);
    }

    @Test
    void a_permission_that_the_resource_does_not_have_is_refused() {
        assertThatThrownBy(() -> DeclaredGrant.of("EXECUTE data/trips")).hasMessageContaining("has the permissions");
    }
}
