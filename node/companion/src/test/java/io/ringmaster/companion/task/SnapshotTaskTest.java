package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotTaskTest {
    @Test
    void a_backup_removes_the_snapshots_of_backups_and_no_other() {
        assertThat(SnapshotTask.isOfBackup("ringmaster-20261124T040000Z-3f9c")).isTrue();
        assertThat(SnapshotTask.isOfBackup(CleanupSnapshot.TAG + "20261124-040000"))
                .as("people may still want the rows that a cleanup removed")
                .isFalse();
        assertThat(SnapshotTask.isOfBackup("1764043200-of-anna")).isFalse();
    }

    @Test
    void the_id_of_a_backup_is_a_name_of_a_folder() {
        for (String wrong : new String[] {"", "../data", ".", "a/b", "-x"}) {
            assertThatThrownBy(() -> TaskTypes.of("BACKUP_SNAPSHOT", Map.of("backup", wrong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("backup '" + wrong + "' must be the id of a backup");
        }
        assertThat(TaskTypes.of("BACKUP_SNAPSHOT", Map.of("backup", "20261124T040000Z-3f9c")))
                .isInstanceOf(SnapshotTask.class);
    }
}
