package io.ringmaster.executor.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocatorTest {
    @TempDir
    Path directory;

    @Test
    void jemallocIsLoadedWhereItIsInstalled() throws IOException {
        Path installed = Files.createFile(directory.resolve("libjemalloc.so.2"));
        assertThat(Allocator.environment(List.of(directory.resolve("elsewhere.so.2"), installed)))
                .containsEntry("LD_PRELOAD", installed.toString());
    }

    @Test
    void withoutJemallocThereIsNothingToLoad() {
        assertThat(Allocator.environment(List.of(directory.resolve("libjemalloc.so.2"))))
                .isEmpty();
    }
}
