package io.ringmaster.executor.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetStoreTest {
    @TempDir
    Path directory;

    private final TestTargets first = TestTargets.first().next().next();
    private NodeFiles files;
    private TargetStore targets;
    private int changes;

    @BeforeEach
    void targets() throws IOException {
        files = new NodeFiles(directory);
        Files.write(files.target(), Json.bytes(first.target()));
        targets = new TargetStore(files, () -> changes++);
    }

    private NodeTarget onDisk() throws IOException {
        return Json.parse(Files.readAllBytes(files.target()), NodeTarget.class);
    }

    @Test
    void aNewerTargetIsStoredOnDiskAndInForce() throws IOException {
        NodeTarget newer = first.next().spec(2, Map.of("concurrent_reads", 9)).target();
        assertThat(targets.accept(newer)).isEmpty();
        assertThat(targets.current()).isEqualTo(newer);
        assertThat(onDisk()).isEqualTo(newer);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void anOlderGenerationIsRefusedAndChangesNothing() throws IOException {
        NodeTarget older = TestTargets.first().target();
        assertThat(targets.accept(older)).hasValueSatisfying(problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.VERSION_CONFLICT);
            assertThat(problem.message()).contains("1 is older than 3");
        });
        assertThat(onDisk()).isEqualTo(first.target());
        assertThat(changes).isZero();
    }

    @Test
    void theSameTargetAgainChangesNothing() throws IOException {
        assertThat(targets.accept(first.target())).isEmpty();
        assertThat(changes).isZero();
    }

    @Test
    void aTargetWithAReservedParameterIsRefusedAndNotStored() throws IOException {
        NodeTarget bad = first.next().spec(2, Map.of("storage_port", 1)).target();
        assertThat(targets.accept(bad))
                .hasValueSatisfying(problem -> assertThat(problem.field()).isEqualTo("cassandra_yaml.storage_port"));
        assertThat(onDisk()).isEqualTo(first.target());
    }
}
