package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CleanupSnapshotTest {
    @Test
    void a_snapshot_needs_twice_the_room_of_the_tables() {
        assertThat(CleanupSnapshot.hasRoom(100, 200)).isTrue();
        assertThat(CleanupSnapshot.hasRoom(100, 199)).isFalse();
        assertThat(CleanupSnapshot.hasRoom(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    }
}
