package io.ringmaster.companion.task;

import static io.ringmaster.companion.task.ClearSnapshotsTask.clears;
import static io.ringmaster.companion.task.ClearSnapshotsTask.heldOnlyBy;
import static io.ringmaster.companion.task.ClearSnapshotsTask.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearSnapshotsTaskTest {
    private static final String OF_BACKUP = "ringmaster-20261124T040000Z-3f9c";

    @TempDir
    Path table;

    @Test
    void all_snapshots_but_those_of_backups_are_cleared_unless_one_is_named() {
        assertThat(clears(null, "dropped-1764043200000-trips")).isTrue();
        assertThat(clears(null, CleanupSnapshot.TAG + "20261124-040000")).isTrue();
        assertThat(clears(null, OF_BACKUP)).isFalse();
        assertThat(clears("before", "before")).isTrue();
        assertThat(clears("before", "before-2")).isFalse();
        assertThat(clears(OF_BACKUP, OF_BACKUP)).isTrue();
    }

    @Test
    void the_outcome_says_what_was_cleared_and_what_was_kept() {
        assertThat(outcome(null, 2, 41L << 20, 0)).isEqualTo("2 snapshots cleared, 41.000MiB freed");
        assertThat(outcome("before", 1, 0, 0)).isEqualTo("1 snapshot cleared, 0B freed");
        assertThat(outcome(null, 0, 0, 0)).isEqualTo("no snapshot to clear");
        assertThat(outcome(null, 0, 0, 1)).isEqualTo("no snapshot to clear; kept: 1 of backups");
        assertThat(outcome("before", 0, 0, 0)).isEqualTo("there is no snapshot 'before'");
    }

    @Test
    void only_files_without_another_link_are_freed() throws IOException {
        Path snapshot = Files.createDirectories(table.resolve("snapshots/before"));
        Files.write(Files.createDirectory(snapshot.resolve(".by_rider")).resolve("nb-1-big-Data.db"), new byte[20]);
        Path live = Files.write(table.resolve("nb-1-big-Data.db"), new byte[100]);
        Files.createLink(snapshot.resolve("nb-1-big-Data.db"), live);
        assertThat(heldOnlyBy(snapshot)).isEqualTo(20);
        Files.delete(live);
        assertThat(heldOnlyBy(snapshot)).isEqualTo(120);
        assertThat(heldOnlyBy(table.resolve("snapshots/gone"))).isZero();
    }
}
