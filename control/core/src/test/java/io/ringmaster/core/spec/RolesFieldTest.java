package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.spec.SpecDiff.Progress;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.RoleSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RolesFieldTest {
    private static final String ROLES =
            """
            roles:
              readers: {grants: [SELECT ON KEYSPACE trips]}
              app:
                login: true
                password: {file: app-1}
                member_of: [readers]
                grants: ["modify, ALTER ON trips.places", ALL PERMISSIONS ON ALL KEYSPACES, ALTER ON ROLE readers]
              anna: {login: true, superuser: true, password: generated}
            """;

    private static ParsedSpec parse(String more) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "\n" + more + "\n");
    }

    private static ClusterSpec valid(String more) {
        ParsedSpec parsed = parse(more);
        assertThat(parsed.problems()).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec();
    }

    @Test
    void roles_are_read_and_written_back() {
        ClusterSpec spec = valid(ROLES);
        assertThat(spec.roles())
                .containsExactly(
                        new RoleSpec(
                                new RoleName("readers"),
                                false,
                                false,
                                null,
                                List.of(),
                                List.of(new RoleGrant(List.of(RolePermission.SELECT), "data/trips"))),
                        new RoleSpec(
                                new RoleName("app"),
                                true,
                                false,
                                new PasswordSource(PasswordSource.Kind.FILE, "app-1"),
                                List.of(new RoleName("readers")),
                                List.of(
                                        new RoleGrant(
                                                List.of(RolePermission.ALTER, RolePermission.MODIFY),
                                                "data/trips/places"),
                                        new RoleGrant(List.of(RolePermission.ALL), "data"),
                                        new RoleGrant(List.of(RolePermission.ALTER), "roles/readers"))),
                        new RoleSpec(new RoleName("anna"), true, true, PasswordSource.GENERATED, List.of(), List.of()));
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @Test
    void roles_turn_login_on_by_parameters_that_an_earlier_release_keeps_too() {
        assertThat(valid("roles: {}").cassandraYaml()).containsKeys("authenticator", "authorizer", "role_manager");
        assertThat(valid("").cassandraYaml()).isEmpty();
    }

    @Test
    void nodes_keep_logins_and_permissions_while_too_few_replicas_of_them_answer() {
        ClusterSpec spec = valid("roles: {}");
        for (String cache : List.of("credentials", "permissions", "roles")) {
            assertThat(spec.cassandraYaml())
                    .containsEntry(cache + "_validity", "1h")
                    .containsEntry(cache + "_update_interval", "10s")
                    .containsEntry(cache + "_cache_active_update", true);
        }
        assertThat(spec.cassandraYaml())
                .containsEntry("auth_cache_warming_enabled", true)
                .hasSize(13);
        assertThat(SpecText.write(spec)).doesNotContain("validity", "authenticator", "warming");
        assertThat(LoginCaches.validity(List.of(spec))).isEqualTo("1h");
    }

    @Test
    void a_spec_chooses_each_of_these_times_itself() {
        String own = "cassandra_yaml: {permissions_validity: 5m, roles_update_interval: 1s}";
        ParsedSpec parsed =
                ClusterSpecs.parse(ClusterSpecsTest.RIDES.replace("cassandra_yaml: {}", own) + "\nroles: {}\n");
        assertThat(parsed.problems()).isEmpty();
        ClusterSpec spec = ((ParsedSpec.Valid) parsed).spec();
        assertThat(spec.cassandraYaml())
                .containsEntry("permissions_validity", "5m")
                .containsEntry("roles_update_interval", "1s")
                .containsEntry("roles_validity", "1h");
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
        assertThat(LoginCaches.validity(List.of(spec)))
                .isEqualTo("1h (credentials_validity), 5m (permissions_validity), 1h (roles_validity)");
        assertThat(LoginCaches.validity(List.of(spec.withCassandraYaml(Map.of()))))
                .as("one that an earlier release stored")
                .isEqualTo("2s");
        assertThat(LoginCaches.validity(List.of(spec, spec.withCassandraYaml(Map.of("permissions_validity", "90s")))))
                .as("nodes that run either")
                .isEqualTo("2s (credentials_validity), 90s (permissions_validity), 2s (roles_validity)");
    }

    @Test
    void a_time_by_its_former_name_has_no_other_beside_it() {
        String former = "cassandra_yaml: {permissions_update_interval_in_ms: -1}";
        ParsedSpec parsed =
                ClusterSpecs.parse(ClusterSpecsTest.RIDES.replace("cassandra_yaml: {}", former) + "\nroles: {}\n");
        assertThat(parsed.problems()).isEmpty();
        assertThat(((ParsedSpec.Valid) parsed).spec().cassandraYaml())
                .as("Cassandra refuses both")
                .containsEntry("permissions_update_interval_in_ms", -1)
                .doesNotContainKey("permissions_update_interval")
                .containsEntry("roles_update_interval", "10s");
        ClusterSpec stored = closed(List.of())
                .withCassandraYaml(Map.of(
                        "credentials_validity_in_ms", 2000,
                        "permissions_validity_in_ms", "2_000",
                        "roles_validity", "2000ms"));
        assertThat(LoginCaches.validity(List.of(stored))).isEqualTo("2000ms");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "roles: | roles",
                "roles: {App: {}} | roles.App",
                "roles: {cassandra: {}} | roles.cassandra",
                "roles: {rm_anna: {}} | roles.rm_anna",
                "roles: {app: {logon: true}} | roles.app.logon",
                "roles: {app: {superuser: maybe}} | roles.app.superuser",
                "roles: {app: {login: true}} | roles.app.password",
                "roles: {app: {password: generated}} | roles.app.password",
                "roles: {app: {login: true, password: {file: ../root}}} | roles.app.password",
                "roles: {app: {login: true, password: {vault: app}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: app-login}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: app-login/}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: /password}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: App/password}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: app./password}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: other/app/password}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: app/..password}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: app/.}}} | roles.app.password",
                "roles: {app: {login: true, password: {secret: {name: app}}}} | roles.app.password",
                "roles: {app: {member_of: [nobody]}} | roles.app.member_of",
                "roles: {app: {grants: [SELECT trips]}} | roles.app.grants",
                "roles: {app: {grants: [FLY ON KEYSPACE trips]}} | roles.app.grants",
                "roles: {app: {grants: [CREATE ON trips.places]}} | roles.app.grants",
                "roles: {app: {grants: [SELECT ON ALL ROLES]}} | roles.app.grants",
                "roles: {a: {member_of: [b]}, b: {member_of: [a]}} | roles",
            })
    void problems_are_reported_by_field(String more, String field) {
        assertThat(parse(more).problems()).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(field));
    }

    @Test
    void a_password_in_a_spec_is_refused_and_not_repeated() {
        assertThat(parse("roles: {app: {login: true, password: hunter2}}").problems())
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.field()).isEqualTo("roles.app.password");
                    assertThat(p.line()).doesNotContain("hunter2");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"app-login/password", "0.app.login/Pass_word.1", "a/.b", "a/a..b"})
    void a_key_of_a_Secret_is_read_and_written_back(String ref) {
        ClusterSpec spec = valid("roles: {app: {login: true, password: {secret: " + ref + "}}}");
        assertThat(spec.roles()).singleElement().satisfies(role -> {
            assertThat(role.password()).isEqualTo(new PasswordSource(PasswordSource.Kind.SECRET, ref));
            assertThat(role.password()).isEqualTo(PasswordSource.of("secret:" + ref));
        });
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @Test
    void all_names_that_Kubernetes_does_not_allow_are_reported_at_once_and_not_repeated() {
        List<Problem> problems = parse("roles: {app: {login: true, password: {secret: Hunter2/hunter 3}},"
                        + " anna: {login: true, password: {secret: " + "a".repeat(254) + "/password}}}")
                .problems();
        assertThat(problems)
                .extracting(Problem::field)
                .containsExactly("roles.app.password", "roles.app.password", "roles.anna.password");
        assertThat(problems.get(0).line()).contains("before the /", "a-z, 0-9, - and .");
        assertThat(problems.get(1).line()).contains("after the /", "letters, 0-9, -, _ and .");
        assertThat(problems).noneMatch(p -> p.line().toLowerCase(Locale.ROOT).contains("hunter"));
    }

    @ParameterizedTest
    @CsvSource({"authenticator", "authorizer", "role_manager", "network_authorizer", "auth_write_consistency_level"})
    void a_parameter_that_decides_who_is_let_in_cannot_be_set_too(String name) {
        String yaml = ClusterSpecsTest.RIDES.replace("cassandra_yaml: {}", "cassandra_yaml: {" + name + ": x}");
        assertThat(ClusterSpecs.parse(yaml).problems()).isEmpty();
        assertThat(ClusterSpecs.parse(yaml + "\nroles: {}\n").problems())
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo("cassandra_yaml." + name));
    }

    @Test
    void login_as_a_whole_cannot_change_on_a_created_cluster() {
        ClusterSpec open = Samples.spec("rides", 3, 2);
        ClusterSpec closed = closed(List.of());
        for (SpecDiff diff : List.of(SpecDiff.between(open, closed), SpecDiff.between(closed, open))) {
            assertThat(diff.unsupported(Progress.CREATED))
                    .extracting(Problem::field)
                    .containsExactly("roles");
            assertThat(diff.unsupported(Progress.PLACED)).isEmpty();
        }
    }

    @Test
    void roles_change_on_a_created_cluster_without_a_restart() {
        RoleSpec app = new RoleSpec(new RoleName("app"), true, false, PasswordSource.GENERATED, List.of(), List.of());
        SpecDiff diff = SpecDiff.between(closed(List.of()), closed(List.of(app)));
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
        assertThat(diff.restarts()).isFalse();
        assertThat(diff.changes()).singleElement().satisfies(c -> assertThat(c.line())
                .isEqualTo("roles.app: (none) -> login; password generated"));
    }

    private static ClusterSpec closed(List<RoleSpec> roles) {
        return Samples.spec("rides", 3, 2).withRoles(roles);
    }
}
