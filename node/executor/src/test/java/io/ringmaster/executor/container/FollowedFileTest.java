package io.ringmaster.executor.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FollowedFileTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Path log() {
        return directory.resolve("system.log");
    }

    private void append(String text) throws IOException {
        Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String copied(FollowedFile file) throws IOException {
        out.reset();
        file.copyTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void only_new_and_whole_lines_are_copied() throws Exception {
        append("of an earlier daemon\n");
        try (FollowedFile file = new FollowedFile(log())) {
            assertThat(copied(file)).isEmpty();
            append("one\ntwo\nthr");
            assertThat(copied(file)).isEqualTo("one\ntwo\n");
            assertThat(copied(file)).isEmpty();
            append("ee\n");
            assertThat(copied(file)).isEqualTo("three\n");
        }
    }

    @Test
    void a_file_that_appears_later_is_copied_from_its_start() throws Exception {
        try (FollowedFile file = new FollowedFile(log())) {
            assertThat(copied(file)).isEmpty();
            append("one\n");
            assertThat(copied(file)).isEqualTo("one\n");
        }
    }

    @Test
    void a_rotation_loses_no_line() throws Exception {
        append("");
        try (FollowedFile file = new FollowedFile(log())) {
            append("before the rotation\n");
            Files.move(log(), directory.resolve("system.log.1"));
            assertThat(copied(file)).as("there is no file now").isEqualTo("before the rotation\n");
            append("after it\n");
            assertThat(copied(file)).isEqualTo("after it\n");
            append("before the next\n");
            Files.move(log(), directory.resolve("system.log.1"), StandardCopyOption.REPLACE_EXISTING);
            append("after the next\n");
            assertThat(copied(file)).isEqualTo("before the next\nafter the next\n");
            append("end\n");
            assertThat(copied(file)).isEqualTo("end\n");
        }
    }

    @Test
    void a_truncated_file_is_copied_from_its_start() throws Exception {
        append("a long line from before\n");
        try (FollowedFile file = new FollowedFile(log())) {
            Files.writeString(log(), "short\n");
            assertThat(copied(file)).isEqualTo("short\n");
        }
    }

    @Test
    void a_line_without_an_end_uses_no_more_memory_than_the_buffer() throws Exception {
        append("");
        try (FollowedFile file = new FollowedFile(log())) {
            append("x".repeat(FollowedFile.MAX_LINE_BYTES + 10) + "\nnext\nunfinished");
            String text = copied(file);
            assertThat(text.lines().map(String::length)).containsExactly(FollowedFile.MAX_LINE_BYTES, 10, 4);
            out.reset();
            file.endLine(out);
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("unfinished\n");
        }
    }

    @Test
    void the_copier_copies_what_is_left_before_it_ends() throws Exception {
        Path other = directory.resolve("daemon.log");
        LogCopier copier = new LogCopier(List.of(log(), other), new PrintStream(out, true, StandardCharsets.UTF_8));
        Thread thread = new Thread(copier);
        thread.start();
        append("system\n");
        Files.writeString(other, "daemon, without an end");
        copier.close();
        thread.join();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("system\ndaemon, without an end\n");
    }
}
