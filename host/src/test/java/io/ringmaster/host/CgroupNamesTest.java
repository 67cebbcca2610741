package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupNamesTest {
    @TempDir
    Path directory;

    @Test
    void each_state_directory_has_its_own_prefix_under_any_of_its_paths() throws IOException {
        Path state = Files.createDirectory(directory.resolve("dc1"));
        Path other = Files.createDirectory(directory.resolve("dc2"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), state);
        assertThat(CgroupNames.prefix(state)).matches("ringmaster-[0-9a-f]{1,8}-");
        assertThat(CgroupNames.prefix(link)).isEqualTo(CgroupNames.prefix(state));
        assertThat(CgroupNames.prefix(other)).isNotEqualTo(CgroupNames.prefix(state));
    }
}
