package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
    @TempDir
    Path directory;

    @Test
    void links_are_deleted_but_not_their_targets() throws IOException {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "kept");
        Path tree = Files.createDirectories(directory.resolve("tree/a/b"));
        Files.writeString(tree.resolve("file"), "deleted");
        Files.createSymbolicLink(tree.resolve("link"), outside);
        FileTree.delete(directory.resolve("tree"));
        assertThat(directory.resolve("tree")).doesNotExist();
        assertThat(outside.resolve("precious")).hasContent("kept");
    }

    @Test
    void a_missing_tree_is_no_failure() throws IOException {
        FileTree.delete(directory.resolve("none"));
    }
}
