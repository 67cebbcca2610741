package io.ringmaster.pool.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When archives are made; a script stands in for the JVM that makes them. */
@Timeout(60)
class ClassDataArchivesTest {
    @TempDir
    Path directory;

    private Path jars;
    private Path companion;
    private JavaHomes.JavaHome java;

    @BeforeEach
    void layOut() throws IOException {
        jars = Files.createDirectories(directory.resolve("lib"));
        Files.writeString(jars.resolve("cassandra.jar"), "cassandra");
        companion = Files.writeString(directory.resolve("companion.jar"), "companion");
        Files.createDirectories(directory.resolve("jdk/bin"));
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.15\"\n");
        java = new JavaHomes.JavaHome(directory.resolve("jdk"), 17, "17.0.15");
    }

    /** Counts its runs, then does this; {@code $last} is the file to make. */
    private void javaDoes(String script) throws IOException {
        Files.writeString(
                java.java(), "#!/bin/sh\necho run >> " + runsFile() + "\nfor last; do :; done\n" + script + "\n");
        assertThat(java.java().toFile().setExecutable(true)).isTrue();
    }

    private Path runsFile() {
        return directory.resolve("runs");
    }

    private long runs() throws IOException {
        return Files.exists(runsFile()) ? Files.readAllLines(runsFile()).size() : 0;
    }

    private Optional<Path> archive() throws InterruptedException {
        return new ClassDataArchives(directory.resolve("executor"))
                .archive(directory, jars, companion, java, progress -> {});
    }

    @Test
    void an_archive_is_made_once_and_used_again() throws Exception {
        javaDoes("echo archive > \"$last\"");
        Optional<Path> first = archive();
        assertThat(first).hasValueSatisfying(path -> assertThat(path).hasContent("archive"));
        assertThat(archive()).isEqualTo(first);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void another_companion_or_jar_needs_another_archive() throws Exception {
        javaDoes("echo archive > \"$last\"");
        Optional<Path> first = archive();
        Files.writeString(companion, "a newer companion");
        Optional<Path> second = archive();
        Files.writeString(jars.resolve("added.jar"), "x");
        assertThat(archive()).isPresent().isNotEqualTo(first).isNotEqualTo(second);
        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void a_failure_only_costs_speed_and_is_not_tried_for_each_node() throws Exception {
        javaDoes("echo half > \"$last\"; exit 3");
        assertThat(archive()).isEmpty();
        assertThat(archive()).isEmpty();
        assertThat(runs()).isEqualTo(1);
        assertThat(directory).isDirectoryNotContaining("glob:**.jsa*");
    }
}
