package io.ringmaster.executor.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatingFileTest {
    @TempDir
    Path directory;

    @Test
    void one_former_file_is_kept_when_the_limit_is_reached() throws Exception {
        Path log = directory.resolve("executor.log");
        Path former = directory.resolve("executor.log.1");
        RotatingFile file = new RotatingFile(log, 10);
        file.append("12345\n");
        file.append("678\n");
        assertThat(former).doesNotExist();
        file.append("next\n");
        assertThat(log).hasContent("next\n");
        assertThat(former).hasContent("12345\n678\n");
        file.append("a line beyond the limit\n");
        assertThat(log).hasContent("a line beyond the limit\n");
        assertThat(former).hasContent("next\n");
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
        new RotatingFile(log, 1000).append("of another executor\n");
        assertThat(log).hasContent("a line beyond the limit\nof another executor\n");
    }

    @Test
    void a_line_that_cannot_be_written_stops_nobody() throws Exception {
        Path folder = directory.resolve("gone");
        new RotatingFile(folder.resolve("executor.log"), 10).append("lost\n");
        assertThat(folder).doesNotExist();
    }
}
