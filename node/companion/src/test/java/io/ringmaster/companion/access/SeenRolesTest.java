package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
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
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 43_200, 43_200)).isTrue();
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 0, 0))
                .as("without an end")
                .isFalse();
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 43_200, 0))
                .as("a superuser without an end")
                .isFalse();
        assertThat(TemporaryLogin.isOne("rm_anna_x7k2", 630_720_000, 630_720_000))
                .as("in 20 years")
                .isFalse();
        assertThat(TemporaryLogin.isOne("anna", 43_200, 43_200)).isFalse();
    }

    @Test
    void a_member_of_a_login_of_ringmaster_is_a_superuser() {
        Set<String> temporary = Set.of("rm_anna_x7k2");
        assertThat(SeenRoles.isSuperuser(false, Set.of("rm_anna_x7k2"), temporary))
                .isTrue();
        assertThat(SeenRoles.isSuperuser(false, Set.of("writers"), temporary)).isFalse();
        assertThat(SeenRoles.isSuperuser(true, Set.of(), temporary)).isTrue();
    }

    private final List<Map<String, Object>> app = List.of(Map.of("name", "app"));
    private final Deque<Runnable> begun = new ArrayDeque<>();
    private long seconds;

    private SeenRoles reading(Supplier<List<Map<String, Object>>> reader, Executor threads) {
        return new SeenRoles(() -> Optional.of(reader.get()), threads, () -> seconds * 1_000_000_000L);
    }

    @Test
    void roles_are_read_every_30_seconds_by_one_thread() {
        SeenRoles roles = reading(() -> app, begun::add);
        assertThat(roles.recent()).isNull();
        assertThat(roles.recent()).isNull();
        assertThat(begun).hasSize(1);
        begun.remove().run();
        seconds = 29;
        assertThat(roles.recent()).isEqualTo(app);
        assertThat(begun).isEmpty();
        seconds = 30;
        assertThat(roles.recent()).isEqualTo(app);
        assertThat(begun).hasSize(1);
    }

    @Test
    void an_error_ends_one_reading_and_not_those_that_follow() {
        Deque<Supplier<List<Map<String, Object>>>> answers = new ArrayDeque<>(List.of(
                () -> app,
                () -> {
                    throw new AssertionError("of Cassandra");
                },
                () -> app));
        SeenRoles roles = reading(() -> answers.remove().get(), begun::add);
        roles.recent();
        begun.remove().run();
        seconds = 30;
        assertThat(roles.recent()).isEqualTo(app);
        assertThatThrownBy(() -> begun.remove().run()).hasMessage("of Cassandra");
        assertThat(roles.recent()).isNull();
        seconds = 60;
        roles.recent();
        begun.remove().run();
        assertThat(roles.recent()).isEqualTo(app);
    }

    @Test
    void a_thread_that_does_not_start_is_tried_again() {
        AtomicBoolean full = new AtomicBoolean(true);
        SeenRoles roles = reading(() -> app, reading -> {
            if (full.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            reading.run();
        });
        assertThat(roles.recent()).isNull();
        full.set(false);
        assertThat(roles.recent()).isEqualTo(app);
    }

    @Test
    void a_list_is_not_reported_for_long_while_the_next_reading_hangs() {
        SeenRoles roles = reading(() -> app, begun::add);
        roles.recent();
        begun.remove().run();
        seconds = 90;
        assertThat(roles.recent()).isEqualTo(app);
        seconds = 91;
        assertThat(roles.recent()).isNull();
        seconds = 300;
        begun.remove().run();
        assertThat(roles.recent()).as("read 210 seconds ago").isNull();
    }

    @Test
    void the_size_is_that_of_all_texts_as_json_may_escape_them() {
        assertThat(SeenRoles.size(List.of(
                        Map.of("name", "app", "login", true, "memberOf", Set.of("a\u001bb")),
                        Map.of("grants", List.of(Map.of("resource", "data", "permissions", Set.of("ALL")))))))
                .isEqualTo(3 + 4 + 8 + 4 + 3);
    }
}
