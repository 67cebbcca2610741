package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CleanupSnapshotTest {
    @Test
    void no_table_has_no_snapshot_since_cassandra_takes_no_name_for_all_of_them() throws Exception {
        assertThat(CleanupSnapshot.take(Map.of(CleanupSnapshot.ARGUMENT, "true"), List.of(), 0))
                .isEmpty();
        assertThat(CleanupSnapshot.names(Stream.of("rides.trips"))).containsExactly("rides.trips");
        assertThatThrownBy(() -> CleanupSnapshot.names(Stream.of())).hasMessage("a snapshot of no table");
    }

    @Test
    void a_snapshot_needs_twice_the_room_of_the_tables() {
        assertThat(CleanupSnapshot.hasRoom(100, 200)).isTrue();
        assertThat(CleanupSnapshot.hasRoom(100, 199)).isFalse();
        assertThat(CleanupSnapshot.hasRoom(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    }
}
