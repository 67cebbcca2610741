package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {
    @TempDir
    Path volume;

    /** Whether the heartbeat is kept at a start with these properties of the check for outdated volumes. */
    private boolean keepsHeartbeat(Map<String, Object> check) throws IOException {
        NodeFiles files = new NodeFiles(volume);
        Path heartbeat = files.directory("data").resolve("cassandra-heartbeat");
        Files.createDirectories(files.directory("data"));
        Files.writeString(heartbeat, "{}");
        Map<String, Object> yaml = Map.of("startup_checks", Map.of("check_data_resurrection", check));
        ConfigurationFiles.forgetHeartbeat(TestTargets.first().spec(2, yaml).target(), files);
        return Files.exists(heartbeat);
    }

    @Test
    void aStartWithoutTheCheckForgetsTheHeartbeatWhichNobodyWritesMeanwhile() throws IOException {
        assertThat(keepsHeartbeat(Map.of("enabled", false))).isFalse();
        assertThat(keepsHeartbeat(Map.of("enabled", "no"))).isFalse();
        assertThat(keepsHeartbeat(Map.of("enabled", true))).isTrue();
        assertThat(keepsHeartbeat(Map.of("excluded_tables", "a.b"))).isTrue();
    }
}
