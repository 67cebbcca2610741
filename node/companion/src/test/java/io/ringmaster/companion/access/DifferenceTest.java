package io.ringmaster.companion.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.auth.Resources;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static final DeclaredRole APP = DeclaredRole.of(Map.of(
                    "role.app", "login",
                    "member_of.app", "readers",
                    "leave.app", "writers",
                    "grant.app", "SELECT data/trips",
                    "revoke.app", "SELECT+MODIFY data/trips,ALTER data/rides"))
            .get(0);

    private static Difference found(Set<String> groups, Map<String, Set<Permission>> granted) {
        Map<IResource, Set<Permission>> byResource = granted.entrySet().stream()
                .collect(Collectors.toMap(e -> Resources.fromName(e.getKey()), Map.Entry::getValue));
        return Difference.of(APP, groups, grant -> byResource.getOrDefault(grant.resource(), Set.of()));
    }

    @Test
    void what_users_granted_themselves_does_not_count() {
        assertThat(found(
                                Set.of("readers", "auditors"),
                                Map.of("data/trips", Set.of(Permission.SELECT, Permission.CREATE)))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void what_was_written_and_is_not_there_is_missing() {
        Difference found = found(Set.of(), Map.of());
        assertThat(found.isEmpty()).isFalse();
        assertThat(found).hasToString("without [[SELECT] on <keyspace trips>, readers]");
    }

    @Test
    void what_was_taken_back_and_is_still_there_is_kept() {
        Difference found = found(
                Set.of("readers", "writers"),
                Map.of(
                        "data/trips", Set.of(Permission.SELECT, Permission.MODIFY),
                        "data/rides", Set.of(Permission.ALTER)));
        assertThat(found.isEmpty()).isFalse();
        assertThat(found)
                .hasToString("with [[ALTER] on <keyspace rides>, [MODIFY] on <keyspace trips>, writers], which was"
                        + " taken back");
    }
}
