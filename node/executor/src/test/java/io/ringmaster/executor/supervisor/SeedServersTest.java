package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedServersTest {
    private static final NodeTarget TARGET = TestTargets.first().target();

    @TempDir
    Path allocation;

    private NodeFiles files;

    @BeforeEach
    void writeServers() throws IOException {
        files = new NodeFiles(allocation);
        files.create();
        SeedServers.write(TARGET, files);
    }

    @Test
    void theFileHoldsOneServerPerLine() {
        assertThat(files.seedServers()).hasContent("http://127.0.0.1:8080");
    }

    @Test
    void aTargetWithTheSameServersWritesNothing() throws IOException {
        Object inode = inode();
        SeedServers.write(TestTargets.first().next().target(), files);
        assertThat(inode()).as("the file, which each write replaces").isEqualTo(inode);
        assertThat(files.seedServers()).hasContent("http://127.0.0.1:8080");
    }

    @Test
    void aFailureToWriteOtherServersIsReported() throws IOException {
        FileTree.delete(files.conf());
        NodeTarget other = TestTargets.first()
                .with("seedProviderUrls", List.of("http://127.0.0.1:8081"))
                .target();
        assertThatThrownBy(() -> SeedServers.write(other, files)).isInstanceOf(IOException.class);
    }

    private Object inode() throws IOException {
        return Files.readAttributes(files.seedServers(), BasicFileAttributes.class)
                .fileKey();
    }
}
