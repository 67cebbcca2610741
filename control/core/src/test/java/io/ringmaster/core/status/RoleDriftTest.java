package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.node.RoleSeen.GrantSeen;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.RoleSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoleDriftTest {
    private static final RoleSpec WRITERS = new RoleSpec(
            new RoleName("writers"),
            false,
            false,
            null,
            List.of(),
            List.of(
                    new RoleGrant(List.of(RolePermission.SELECT, RolePermission.MODIFY), "data/trips"),
                    new RoleGrant(List.of(RolePermission.ALL), "data/logs")));
    private static final RoleSpec APP = new RoleSpec(
            new RoleName("app"), true, false, PasswordSource.GENERATED, List.of(WRITERS.name()), List.of());
    private static final RoleSpec ANNA =
            new RoleSpec(new RoleName("anna"), true, true, PasswordSource.GENERATED, List.of(), List.of());
    private static final List<RoleSpec> DECLARED = List.of(WRITERS, APP, ANNA);

    private static final RoleSeen WRITERS_SEEN =
            writers(new GrantSeen("data/trips", List.of("MODIFY", "SELECT")), new GrantSeen("data/logs", allOf("ALL")));
    private static final RoleSeen APP_SEEN = new RoleSeen("app", true, false, false, List.of("writers"), List.of());
    private static final RoleSeen ANNA_SEEN = new RoleSeen("anna", true, true, false, List.of(), List.of());

    private static List<String> allOf(String last) {
        return List.of("ALTER", "MODIFY", "SELECT", last);
    }

    private static RoleSeen writers(GrantSeen... grants) {
        return new RoleSeen("writers", false, false, true, List.of(), List.of(grants));
    }

    private static List<String> differences(RoleSeen... seen) {
        return new RoleDrift(DECLARED, List.of(seen)).differences();
    }

    private static Set<String> superusers(RoleSeen... seen) {
        return new RoleDrift(DECLARED, List.of(seen)).undeclaredSuperusers();
    }

    @Test
    void roles_as_they_were_written_do_not_differ() {
        assertThat(differences(WRITERS_SEEN, APP_SEEN, ANNA_SEEN)).isEmpty();
        assertThat(superusers(WRITERS_SEEN, APP_SEEN, ANNA_SEEN)).isEmpty();
    }

    @Test
    void a_member_of_a_temporary_superuser_is_a_superuser_that_writing_it_again_does_not_mend() {
        RoleSeen app = new RoleSeen(
                APP_SEEN.name(),
                APP_SEEN.login(),
                true,
                false,
                Stream.concat(APP_SEEN.memberOf().stream(), Stream.of("rm_anna_x7k2"))
                        .toList(),
                APP_SEEN.grants());
        assertThat(differences(WRITERS_SEEN, app, ANNA_SEEN)).isEmpty();
        assertThat(superusers(WRITERS_SEEN, app, ANNA_SEEN)).containsExactly("app");
    }

    @Test
    void a_dropped_role_is_not_there() {
        assertThat(differences(WRITERS_SEEN, ANNA_SEEN)).containsExactly("app is not there");
    }

    @Test
    void each_changed_attribute_is_named() {
        RoleSeen app = new RoleSeen("app", false, true, true, List.of(), List.of());
        RoleSeen anna = new RoleSeen("anna", true, false, false, List.of(), List.of());
        RoleSeen group = new RoleSeen("writers", true, false, true, List.of(), WRITERS_SEEN.grants());
        assertThat(differences(group, app, anna))
                .containsExactly(
                        "writers can log in",
                        "app cannot log in",
                        "app is a superuser",
                        "app has another password",
                        "app is not a member of writers",
                        "anna is not a superuser");
    }

    @Test
    void a_permission_that_was_revoked_is_named_as_cql_has_it() {
        RoleSeen reading = writers(
                new GrantSeen("data/trips", List.of("SELECT")),
                WRITERS_SEEN.grants().get(1));
        assertThat(differences(reading, APP_SEEN, ANNA_SEEN)).containsExactly("writers lacks MODIFY ON KEYSPACE trips");
        RoleSeen without = writers(WRITERS_SEEN.grants().get(0), new GrantSeen("data/logs", allOf("DROP")));
        assertThat(differences(without, APP_SEEN, ANNA_SEEN)).containsExactly("writers lacks ALL ON KEYSPACE logs");
    }

    @Test
    void what_users_added_does_not_differ() {
        RoleSeen more = writers(
                new GrantSeen("data/trips", allOf("ALL")),
                WRITERS_SEEN.grants().get(1),
                new GrantSeen("data", List.of("CREATE")));
        RoleSeen app = new RoleSeen("app", true, false, false, List.of("writers", "auditors"), List.of());
        RoleSeen auditors = new RoleSeen("auditors", false, false, true, List.of(), List.of());
        assertThat(differences(more, app, ANNA_SEEN, auditors)).isEmpty();
        assertThat(superusers(more, app, ANNA_SEEN, auditors)).isEmpty();
    }

    @Test
    void superusers_that_the_spec_does_not_declare_are_named_with_their_members() {
        RoleSeen eve = new RoleSeen("Eve", true, true, false, List.of(), List.of());
        RoleSeen mallory = new RoleSeen("mallory", true, false, false, List.of("trent"), List.of());
        RoleSeen trent = new RoleSeen("trent", false, false, false, List.of("Eve"), List.of());
        assertThat(superusers(WRITERS_SEEN, APP_SEEN, ANNA_SEEN, eve, mallory, trent))
                .containsExactly("Eve", "mallory", "trent");
        RoleSeen member = new RoleSeen("app", true, false, false, List.of("writers", "anna"), List.of());
        assertThat(superusers(WRITERS_SEEN, member, ANNA_SEEN)).containsExactly("app");
        RoleSeen flagged = new RoleSeen("app", true, true, false, List.of("writers"), List.of());
        assertThat(superusers(WRITERS_SEEN, flagged, ANNA_SEEN))
                .as("although the spec declares it without")
                .containsExactly("app");
    }
}
