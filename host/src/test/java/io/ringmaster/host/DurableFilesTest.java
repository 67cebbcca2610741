package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
    @TempDir
    Path directory;

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    @Test
    void a_file_is_replaced_and_only_this_user_can_read_it() throws IOException {
        Path file = directory.resolve("state.json");
        DurableFiles.write(file, "old");
        DurableFiles.write(file, "new");
        assertThat(file).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(files()).containsExactly(file);
    }

    @Test
    void a_write_that_fails_keeps_the_old_content_and_leaves_no_temporary_file() throws IOException {
        Path taken = Files.createDirectories(directory.resolve("taken/child")).getParent();
        assertThatThrownBy(() -> DurableFiles.write(taken, "text")).isInstanceOf(IOException.class);
        assertThat(files()).containsExactly(taken);
        assertThat(taken.resolve("child")).exists();
    }

    @Test
    void concurrent_writers_never_leave_a_part_of_a_file() throws IOException {
        Path file = directory.resolve("links.json");
        String content = "0123456789".repeat(1_000);
        IntStream.range(0, 50).parallel().forEach(i -> {
            try {
                DurableFiles.write(file, content);
                assertThat(file).hasContent(content);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(files()).containsExactly(file);
    }

    @Test
    void a_file_is_created_once_by_one_of_many() throws IOException {
        Path file = directory.resolve("authority.pem");
        List<Integer> winners = IntStream.range(0, 50)
                .parallel()
                .filter(i -> {
                    try {
                        return DurableFiles.create(file, "key " + i);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .boxed()
                .toList();
        assertThat(winners).hasSize(1);
        assertThat(file).hasContent("key " + winners.get(0));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(files()).containsExactly(file);
    }
}
