package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLimitTest {
    @TempDir
    Path directory;

    private static void write(OutputStream log, String text) throws IOException {
        log.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void two_writers_that_hold_the_log_open_go_on_after_it_was_emptied() throws Exception {
        Path log = Files.createFile(directory.resolve("executor.log"));
        Path former = directory.resolve("executor.log.1");
        try (OutputStream one = Files.newOutputStream(log, StandardOpenOption.APPEND);
                OutputStream other = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
            write(one, "12345\n");
            write(other, "6789\n");
            LogLimit.keep(log, 11);
            assertThat(former).doesNotExist();
            write(one, "x\n");
            LogLimit.keep(log, 11);
            assertThat(log).isEmptyFile();
            assertThat(former).as("the end").hasContent("345\n6789\nx\n");
            write(other, "after\n");
            write(one, "it\n");
            assertThat(log).hasContent("after\nit\n");
            write(one, "and once more\n");
            LogLimit.keep(log, 11);
            assertThat(log).isEmptyFile();
            assertThat(former).hasContent(" once more\n");
        }
    }

    @Test
    void a_log_that_is_not_there_is_within_its_limit() throws Exception {
        LogLimit.keep(directory.resolve("none"), 0);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void without_room_for_a_copy_it_is_emptied_all_the_same() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.at(Files.createDirectory(directory.resolve("small")), 4)) {
            Path log = small.folder().resolve("daemon.log");
            try (OutputStream out = Files.newOutputStream(log)) {
                while (true) {
                    out.write(new byte[4096]);
                }
            } catch (IOException full) {
                LogLimit.keep(log, 3 << 20);
            }
            assertThat(log).isEmptyFile();
            assertThat(small.folder().resolve("daemon.log.1")).doesNotExist();
        }
    }
}
