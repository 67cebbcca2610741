package io.ringmaster.pool.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaHomesTest {
    @TempDir
    Path directory;

    private Path home(String name, String version) throws IOException {
        Path bin =
                Files.createDirectories(directory.resolve("jvm").resolve(name).resolve("bin"));
        Path java = Files.createFile(bin.resolve("java"));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path home = bin.getParent();
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home.toRealPath();
    }

    private JavaHomes among(Path running) {
        return JavaHomes.among(running, null, "", List.of(directory.resolve("jvm")));
    }

    @Test
    void the_jvm_that_runs_this_is_found() {
        int running = Runtime.version().feature();
        assertThat(JavaHomes.onThisComputer().find(running))
                .hasValueSatisfying(home -> assertThat(home.java()).isExecutable());
    }

    @Test
    void the_right_version_is_found_beside_others() throws Exception {
        Path old = home("a-8", "1.8.0_402");
        Path right = home("b-17", "17.0.15");
        home("c-25", "25");
        assertThat(among(old).require(17).home()).isEqualTo(right);
        assertThat(among(old).all()).extracting(JavaHomes.JavaHome::feature).containsExactly(8, 17, 25);
    }

    @Test
    void java_on_the_path_may_be_a_link_into_its_home() throws Exception {
        Path right = home("b-17", "17.0.15");
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("java"), right.resolve("bin/java"));
        assertThat(JavaHomes.among(directory, "", "/nowhere:" + bin, List.of())
                        .require(17)
                        .home())
                .isEqualTo(right);
    }

    @Test
    void when_it_is_missing_the_error_says_what_is_here_and_what_to_do() throws IOException {
        Path other = home("c-25", "25.0.1");
        assertThatThrownBy(() -> among(other).require(17))
                .isInstanceOf(BinariesUnavailableException.class)
                .hasMessageContaining("no Java 17")
                .hasMessageContaining("found: 25.0.1")
                .hasMessageContaining("install");
    }
}
