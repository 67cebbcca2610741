package io.ringmaster.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real {@code dev} in a tree whose Maven is a small script. */
@Timeout(60)
class DevTest {
    private static final List<String> APPS = List.of("server", "cli", "executor", "companion", "engine", "simulator");

    @TempDir
    private Path folder;

    private Path tree;
    private Path programs;

    @BeforeEach
    void make_a_tree() throws IOException {
        tree = Files.createDirectories(folder.resolve("tree"));
        programs = folder.resolve("programs");
        Files.copy(Path.of("../dev"), tree.resolve("dev"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String source : List.of(
                ".mvn",
                "host",
                "backup",
                "control",
                "cqlshell",
                "launcher",
                "node",
                "playground",
                "simulator",
                "web",
                "lab/plots",
                "api")) {
            Files.createDirectories(tree.resolve(source));
        }
        for (String script : List.of("web/build.sh", "lab/plots/build.sh")) {
            Files.copy(Path.of("..").resolve(script), tree.resolve(script));
        }
        Scripts.write(programs.resolve("bin/node"), "echo v18.20.4\nexit 1");
        Scripts.write(programs.resolve("bin/npm"), "exit 1");
        Scripts.write(programs.resolve("bin/javac"), "echo javac 17.0.9");
        Scripts.write(programs.resolve("bin/cargo"), "exit 1");
        // As Maven does, it adds a library to target/lib and leaves what is there. The pom is the library's version.
        Scripts.write(
                programs.resolve("bin/mvn"),
                "echo built >>maven.log\n"
                        + "for app in control/server launcher node/executor node/transfer node/companion "
                        + "node/rocksdb-engine simulator\n"
                        + "do mkdir -p $app/target/lib && touch $app/target/app.jar"
                        + " $app/target/lib/library-$(cat pom.xml).jar || exit 1\n"
                        + "done");
    }

    private void build(String libraryVersion) throws Exception {
        Files.writeString(tree.resolve("pom.xml"), libraryVersion);
        build();
    }

    private String build() throws Exception {
        String path = programs.resolve("bin") + ":" + System.getenv("PATH");
        Map<String, String> environment = Map.of("JAVA_HOME", programs.toString(), "PATH", path);
        Scripts.Ran ran = Scripts.run(tree, environment, List.of("./dev", "build"));
        assertThat(ran.exit()).as(ran.output()).isZero();
        return ran.output();
    }

    private List<String> jars(String app) throws IOException {
        try (Stream<Path> files = Files.list(tree.resolve(".build/dist").resolve(app))) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void an_upgraded_library_does_not_stand_beside_its_former_version() throws Exception {
        build("1");
        for (String app : APPS) {
            assertThat(jars(app)).as(app).containsExactly("app.jar", "library-1.jar");
        }
        build("2");
        for (String app : APPS) {
            assertThat(jars(app)).as(app).containsExactly("app.jar", "library-2.jar");
        }
    }

    @Test
    void an_old_node_costs_the_page_and_the_plots_and_nothing_else() throws Exception {
        Files.writeString(tree.resolve("pom.xml"), "1");
        assertThat(build()).contains("node v18.20.4 is too old for the page", "install Node 20.19 or 22.12, or newer");
        assertThat(jars("server")).contains("app.jar");
        assertThat(tree.resolve(".build/dist/plots")).doesNotExist();
    }

    @Test
    void a_tree_without_a_changed_source_is_not_built_again() throws Exception {
        build("1");
        Path built = tree.resolve(".build/dist").toRealPath();
        build();
        assertThat(tree.resolve(".build/dist").toRealPath()).isEqualTo(built);
        assertThat(tree.resolve("maven.log")).hasContent("built");
    }
}
