package io.ringmaster.companion.task;

import static io.ringmaster.companion.task.ClearSnapshotsTask.heldOnlyBy;
import static io.ringmaster.companion.task.ClearSnapshotsTask.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearSnapshotsTaskTest {
    @TempDir
    Path table;

    @Test
    void the_outcome_says_what_was_cleared_and_what_was_kept() {
        assertThat(outcome(2, 41L << 20, 0)).isEqualTo("2 snapshots cleared, 41.000MiB freed");
        assertThat(outcome(1, 0, 0)).isEqualTo("1 snapshot cleared, 0B freed");
        assertThat(outcome(0, 0, 0)).isEqualTo("no snapshot to clear");
        assertThat(outcome(0, 0, 1)).isEqualTo("no snapshot to clear; kept: 1 of backups");
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
