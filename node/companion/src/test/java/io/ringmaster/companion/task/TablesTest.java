package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static String whyNot(List<String> keyspaces, List<String> tables) {
        return Tables.whyNot(
                        keyspaces,
                        Set.of("rides", "system_auth")::contains,
                        List.of("rides"),
                        tables,
                        Set.of("trips")::contains)
                .orElse("");
    }

    @Test
    void a_task_on_what_is_not_there_at_its_start_is_refused() {
        assertThat(whyNot(List.of("rides", "system_auth"), List.of("trips"))).isEmpty();
        assertThat(whyNot(List.of("rides"), List.of())).isEmpty();
        assertThat(whyNot(List.of("rides", "nowhere"), List.of()))
                .isEqualTo("keyspace 'nowhere' is not there; there are [rides]");
        assertThat(whyNot(List.of("system"), List.of()))
                .as("a node's own keyspace")
                .isEqualTo("keyspace 'system' is not there; there are [rides]");
        assertThat(whyNot(List.of("rides"), List.of("trips", "zz"))).isEqualTo("table 'zz' is not in rides");
    }

    @Test
    void what_was_dropped_after_the_start_is_in_the_outcome() {
        Set<String> keyspaces = Set.of("rides");
        Set<String> tables = Set.of("trips");
        assertThat(Tables.missing(List.of("rides"), keyspaces::contains, List.of("trips"), tables::contains))
                .isEmpty();
        assertThat(Tables.missing(List.of("rides"), keyspaces::contains, List.of("trips", "zz"), tables::contains))
                .isEqualTo("; not there: table zz");
        assertThat(Tables.missing(List.of("kdrop", "rides"), keyspaces::contains, List.of(), tables::contains))
                .isEqualTo("; not there: keyspace kdrop");
    }
}
