package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessTaskTest {
    @Test
    void a_malformed_number_of_nodes_is_named() {
        assertThatThrownBy(() -> new AccessTask(Map.of("nodes", "dc1:3,dc2")))
                .hasMessage("nodes 'dc2' must be a datacenter and its nodes: dc1:3");
    }

    @Test
    void a_task_that_only_replicates_roles_waits_for_no_other_datacenter() {
        assertThat(new AccessTask(Map.of("nodes", "dc1:3")).writesRoles()).isFalse();
        assertThat(new AccessTask(Map.of("nodes", "dc1:3", "drop", "app")).writesRoles())
                .isTrue();
        assertThat(new AccessTask(Map.of("role.app", "login")).writesRoles()).isTrue();
    }

    @Test
    void a_role_is_not_written_without_its_password() {
        assertThatThrownBy(() -> new AccessTask(Map.of("role.app", "login", "password.app", "file:app")))
                .hasMessage("the password of role app did not arrive");
    }
}
