package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TablesTest {
    @Test
    void what_a_request_names_and_nobody_finds_is_in_the_outcome() {
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
