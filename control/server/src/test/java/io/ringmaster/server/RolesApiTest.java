package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.wire.api.RolePassword;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roles in specs, as the server accepts them. */
class RolesApiTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}");
    private static final ClusterName PETS = new ClusterName("pets");
    private static final String SPEC_OF_PETS = Specs.of("pets", "dc1: {nodes: 1, seeds: 1}");
    private static final String ROLES = "roles: {app: {login: true, password: %s}}\n";

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;

    @BeforeAll
    static void start() throws IOException {
        datacenter = TestDatacenter.alone(directory, false);
    }

    @AfterAll
    static void stop() {
        datacenter.close();
    }

    private static Problem refused(RingmasterClient client, String password) {
        return catchThrowableOfType(
                        RefusedException.class,
                        () -> client.apply(RIDES, SPEC + ROLES.formatted(password), 0L, ChangeOptions.DRY_RUN))
                .problems()
                .get(0);
    }

    @Test
    void a_password_that_the_server_does_not_find_is_named_before_anything_changes() {
        Problem missing = refused(datacenter.client(), "{file: nowhere}");
        assertThat(missing.field()).isEqualTo("roles.app.password");
        assertThat(missing.message()).contains("passwords/rides/nowhere", "0600");
    }

    @Test
    void an_operator_declares_no_roles() {
        String token = datacenter
                .client()
                .createToken(new TokenAsk("ci", Role.OPERATOR, new ClusterPattern("*"), 3600), false)
                .token();
        Problem forbidden = refused(TestDatacenter.client(datacenter.url(), token), "{env: other}");
        assertThat(forbidden.code()).isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void an_operator_declares_a_new_cluster_that_lets_nobody_in_and_drops_no_roles() {
        String token = datacenter
                .client()
                .createToken(new TokenAsk("deploys", Role.OPERATOR, new ClusterPattern("*"), 3600), false)
                .token();
        RingmasterClient operator = TestDatacenter.client(datacenter.url(), token);
        assertThat(operator.apply(PETS, SPEC_OF_PETS + "roles: {}\n", 0L, ChangeOptions.DRY_RUN)
                        .changed())
                .isTrue();
        datacenter.client().apply(PETS, SPEC_OF_PETS + ROLES.formatted("generated"), 0L, ChangeOptions.APPLY);
        assertThatThrownBy(() -> operator.apply(PETS, SPEC_OF_PETS + "roles: {}\n", null, ChangeOptions.DRY_RUN))
                .hasMessageContaining("a change of roles");
    }

    @Test
    void an_admin_reads_a_generated_password_which_no_spec_holds_and_the_audit_says_so() {
        RoleName app = new RoleName("app");
        datacenter.client().apply(RIDES, SPEC + ROLES.formatted("generated"), 0L, ChangeOptions.APPLY);
        RolePassword password =
                Eventually.becomes(() -> password(app), Optional::isPresent).orElseThrow();
        assertThat(password.password()).hasSize(43);
        assertThat(datacenter.client().rolePassword(RIDES, app)).isEqualTo(password);
        assertThat(datacenter.client().spec(RIDES).toString()).doesNotContain(password.password());
        assertThat(datacenter.client().audit(100).items())
                .filteredOn(e -> e.what().equals("read the password of app of rides"))
                .isNotEmpty()
                .allSatisfy(e ->
                        assertThat(Objects.requireNonNull(e.origin()).refused()).isNull());
    }

    /** Empty until the deploy has made it. */
    private static Optional<RolePassword> password(RoleName role) {
        try {
            return Optional.of(datacenter.client().rolePassword(RIDES, role));
        } catch (RefusedException e) {
            assertThat(e.problem().message()).contains("no deploy of rides has made it yet");
            return Optional.empty();
        }
    }
}
