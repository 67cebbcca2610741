package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.wire.api.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventRouteTest {
    private static final Principal VIEWER = caller(Role.VIEWER, "*");
    private static final Principal OPERATOR = caller(Role.OPERATOR, "*");
    private static final Principal TEAM = caller(Role.ADMIN, "team-*");

    private static Principal caller(Role role, String clusters) {
        return new Principal("x", role, new ClusterPattern(clusters), "dc1-aaaaaaaa", "127.0.0.1");
    }

    private static Event event(Event.Type type, @Nullable String cluster) {
        ClusterName name = cluster == null ? null : new ClusterName(cluster);
        return new Event("1", Instant.EPOCH, type, new DatacenterName("dc1"), name, "x", null, null, "");
    }

    @Test
    void events_of_the_audit_need_what_the_audit_needs() {
        Event audit = event(Event.Type.AUDIT, null);
        assertThat(EventRoute.isVisible(audit, VIEWER)).isFalse();
        assertThat(EventRoute.isVisible(audit, OPERATOR)).isTrue();
        assertThat(EventRoute.isVisible(audit, TEAM)).isFalse();
        assertThat(EventRoute.isVisible(audit, Principal.anonymous("api", "127.0.0.1")))
                .isTrue();
        assertThat(EventRoute.isVisible(event(Event.Type.AUDIT, "team-a"), TEAM))
                .isFalse();
    }

    @Test
    void other_events_need_the_cluster_or_all_of_them() {
        assertThat(EventRoute.isVisible(event(Event.Type.POOL, null), VIEWER)).isTrue();
        assertThat(EventRoute.isVisible(event(Event.Type.POOL, null), TEAM)).isFalse();
        assertThat(EventRoute.isVisible(event(Event.Type.PLAN, "team-a"), TEAM)).isTrue();
        assertThat(EventRoute.isVisible(event(Event.Type.PLAN, "rides"), TEAM)).isFalse();
        assertThat(EventRoute.isVisible(event(Event.Type.RESET, null), TEAM)).isTrue();
    }
}
