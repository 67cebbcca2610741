package io.ringmaster.executor.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTokenTest {
    private static final String SECRET = "d41d8cd98f00b204";

    @TempDir
    Path directory;

    private Path token(String content, String mode) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void a_mounted_secret_is_read_through_its_links() throws Exception {
        Path data = Files.createDirectory(directory.resolve("..2026_01_02"));
        Files.move(token(SECRET + "\n", "r--r-----"), data.resolve("token"));
        Files.createSymbolicLink(directory.resolve("..data"), data.getFileName());
        Path mounted = Files.createSymbolicLink(directory.resolve("token"), Path.of("..data", "token"));
        AccessToken token = AccessToken.mounted(mounted);
        assertThat(token.value()).isEqualTo(SECRET);
        assertThat(token.toString()).doesNotContain(SECRET);
    }

    @Test
    void a_file_that_others_can_read_or_the_group_can_write_is_refused() throws Exception {
        for (String good : List.of("r--------", "rw-------", "r--r-----", "rw-r-----")) {
            assertThat(AccessToken.mounted(token(SECRET, good)).value())
                    .as(good)
                    .isEqualTo(SECRET);
        }
        for (String bad : List.of("rw-r--r--", "r--r--r--", "rw-rw----", "r--r---w-")) {
            Path file = token(SECRET, "rw-------");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(bad));
            assertThatThrownBy(() -> AccessToken.mounted(file))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("--token " + file + " has mode " + bad + ", but only its owner may write it, and only"
                            + " its owner and group may read it -> chmod 440 " + file
                            + ", or defaultMode: 0440 on the Secret's volume");
            Files.delete(file);
        }
    }

    @Test
    void a_missing_or_empty_file_is_named_with_the_next_step() throws Exception {
        Path file = directory.resolve("token");
        assertThatThrownBy(() -> AccessToken.mounted(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--token " + file
                        + " does not exist -> mount the Secret that holds the allocation's token there");
        token(" \n", "r--r-----");
        assertThatThrownBy(() -> AccessToken.mounted(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--token " + file + " is empty -> mount the Secret that holds the allocation's token there");
        assertThatThrownBy(() -> AccessToken.ofAllocation(file)).hasMessageStartingWith("token " + file + " is empty");
    }
}
