package io.ringmaster.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    @TempDir
    Path folder;

    @Test
    void the_first_start_makes_a_token_that_only_its_owner_can_read_and_later_ones_keep_it() throws Exception {
        Path file = folder.resolve("home/token");
        String token = TokenFile.readOrCreate(file);
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(TokenFile.readOrCreate(file)).isEqualTo(token);
        try (var left = Files.list(file.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void a_file_that_others_may_read_is_refused_with_the_command_that_mends_it() throws Exception {
        Path file = folder.resolve("token");
        TokenFile.readOrCreate(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> TokenFile.readOrCreate(file)).hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void an_empty_file_is_refused() throws Exception {
        Path file = folder.resolve("token");
        TokenFile.readOrCreate(file);
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> TokenFile.readOrCreate(file)).hasMessageContaining("token_file");
    }
}
