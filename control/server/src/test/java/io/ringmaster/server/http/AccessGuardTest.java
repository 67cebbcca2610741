package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.access.Credentials;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.login.SessionSigner;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessGuardTest {
    static final String TOKEN = "0123456789abcdef";
    private static final ClusterName OWN = new ClusterName("team-a");
    private static final ClusterName OTHER = new ClusterName("rides");

    @ParameterizedTest
    @EnumSource(Role.class)
    void a_role_includes_those_before_it_and_extends_to_its_clusters(Role role) {
        Principal team = principal(role, "team-*");
        for (Role needed : Role.values()) {
            boolean enough = role.compareTo(needed) >= 0;
            Access ofCluster = Access.change(Who.valueOf(needed.name()), Extent.CLUSTER);
            Access ofFleet = Access.change(Who.valueOf(needed.name()), Extent.FLEET);
            assertThat(AccessGuard.allows(ofCluster, team, OWN)).isEqualTo(enough);
            assertThat(AccessGuard.allows(ofCluster, team, OTHER)).isFalse();
            assertThat(AccessGuard.allows(ofCluster, team, null)).isEqualTo(enough);
            assertThat(AccessGuard.allows(ofFleet, team, null)).isFalse();
            assertThat(AccessGuard.allows(ofFleet, principal(role, "*"), null)).isEqualTo(enough);
        }
    }

    @Test
    void an_admin_is_no_server() {
        Access exchange = Access.change(Who.PEER, Extent.FLEET);
        assertThat(AccessGuard.allows(exchange, principal(Role.ADMIN, "*"), null))
                .isFalse();
        assertThat(AccessGuard.allows(exchange, Principal.localAdmin("api", "127.0.0.1"), null))
                .isTrue();
    }

    private static Principal principal(Role role, String clusters) {
        return new Principal("ci", role, new ClusterPattern(clusters), "dc1-aaaaaaaa", "127.0.0.1");
    }

    /** For {@link #TOKEN}, without records. */
    static Authentication authentication(Clock clock) {
        View view = View.empty(Instant.EPOCH, 0, new DatacenterName("dc1"), List.of(), List.of());
        return new Authentication(
                new Credentials(new Secret(TOKEN), () -> view, clock),
                new SessionCookie(new SessionSigner(new Secret(TOKEN)), clock, URI.create("http://127.0.0.1:8080")));
    }
}
