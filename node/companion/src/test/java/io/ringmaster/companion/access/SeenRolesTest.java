package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.auth.DataResource;
import org.apache.cassandra.auth.Permission;
import org.junit.jupiter.api.Test;

class SeenRolesTest {
    @Test
    void a_password_that_was_written_alone_is_newer() {
        assertThat(SeenRoles.isNewer(5L, 5L, 5L)).as("written together").isFalse();
        assertThat(SeenRoles.isNewer(5L, 7L, 5L)).as("only login changed").isFalse();
        assertThat(SeenRoles.isNewer(7L, 5L, 5L)).isTrue();
        assertThat(SeenRoles.isNewer(7L, 7L, 5L)).as("with login").isTrue();
        assertThat(SeenRoles.isNewer(null, 5L, 5L)).as("deleted").isTrue();
    }

    @Test
    void all_is_every_permission_that_the_resource_has() {
        Set<String> all = DataResource.keyspace("trips").applicablePermissions().stream()
                .map(Permission::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(SeenRoles.isAll("data/trips", all)).isTrue();
        all.remove("MODIFY");
        assertThat(SeenRoles.isAll("data/trips", all)).isFalse();
        assertThat(SeenRoles.isAll("unknown/trips", all)).isFalse();
    }

    @Test
    void only_a_login_that_ends_soon_is_one_of_ringmaster() {
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 43_200)).isTrue();
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 0)).as("without an end").isFalse();
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 630_720_000))
                .as("in 20 years")
                .isFalse();
        assertThat(TemporaryLogin.isOne("anna", 43_200)).isFalse();
    }
}
