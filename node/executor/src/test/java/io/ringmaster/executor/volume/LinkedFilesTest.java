package io.ringmaster.executor.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkedFilesTest {
    private final LinkedFiles files = new LinkedFiles();

    @Test
    void a_file_is_live_if_any_of_its_links_is() {
        files.add(7, 100, true);
        assertThat(files.snapshotBytes()).isEqualTo(100);
        files.add(7, 100, false);
        files.add(7, 100, true);
        files.add(8, 5, true);
        assertThat(files.bytes()).isEqualTo(105);
        assertThat(files.snapshotBytes()).isEqualTo(5);
        assertThat(files.contains(7)).isTrue();
        assertThat(files.contains(9)).isFalse();
    }

    @Test
    void many_files_are_known_by_their_inodes() {
        for (long round = 0; round < 2; round++) {
            for (long inode = 1; inode <= 100_000; inode++) {
                files.add(inode * 64, inode, inode % 2 == 0);
            }
        }
        assertThat(files.bytes()).isEqualTo(100_000L * 100_001 / 2);
        assertThat(files.snapshotBytes()).isEqualTo(50_000L * 50_001);
        assertThat(files.contains(100_000 * 64)).isTrue();
        assertThat(files.contains(100_001 * 64)).isFalse();
    }
}
