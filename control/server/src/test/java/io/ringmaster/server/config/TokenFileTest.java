package io.ringmaster.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.server.access.ApiToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
    @TempDir
    Path folder;

    @Test
    void the_first_start_makes_a_token_that_only_its_owner_can_read_and_later_ones_keep_it() throws Exception {
        Path file = folder.resolve("home/token");
        Secret token = TokenFile.readOrCreate(file);
        assertThat(token.reveal()).matches("[0-9a-f]{64}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(TokenFile.readOrCreate(file)).isEqualTo(token);
        try (var left = Files.list(file.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw--w----", "rw-rw----", "rw-----w-", "rwx------", "r--r----x"})
    void a_file_that_others_may_read_or_its_group_may_write_is_refused_with_the_command_that_mends_it(String mode)
            throws Exception {
        Path file = folder.resolve("token");
        TokenFile.readOrCreate(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> TokenFile.readOrCreate(file))
                .hasMessageContaining(file + " has mode " + mode)
                .hasMessageContaining("chmod 600 " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r-----", "rw-r-----", "r--------"})
    void a_mounted_Secret_that_the_group_of_the_pod_may_read_is_accepted(String mode) throws Exception {
        Path file = folder.resolve("token");
        Secret token = TokenFile.readOrCreate(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        assertThat(TokenFile.readOrCreate(file)).isEqualTo(token);
    }

    @Test
    void an_API_token_is_refused_because_its_holder_would_have_every_right() throws Exception {
        Path file = folder.resolve("token");
        TokenFile.readOrCreate(file);
        String viewer = ApiToken.create(new DatacenterName("dc1")).text();
        Files.writeString(file, viewer + "\n");
        assertThatThrownBy(() -> TokenFile.readOrCreate(file))
                .hasMessageContaining("holds the API token dc1-")
                .hasMessageContaining("--token-file")
                .hasMessageNotContaining(viewer);
    }

    @Test
    void an_empty_file_is_refused() throws Exception {
        Path file = folder.resolve("token");
        TokenFile.readOrCreate(file);
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> TokenFile.readOrCreate(file)).hasMessageContaining("token_file");
    }
}
