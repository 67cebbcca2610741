package io.ringmaster.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real launcher in a copy of the tree whose build and Java are small scripts. */
@Timeout(60)
class LauncherTest {
    @TempDir
    private Path folder;

    private Path tree;

    @BeforeEach
    void make_a_tree() throws IOException {
        tree = Files.createDirectories(folder.resolve("a tree"));
        Path launcher = Path.of("../ringmaster");
        Files.copy(launcher, tree.resolve("ringmaster"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        Scripts.write(
                tree.resolve("dev"),
                "cd \"$(dirname \"$0\")\" && mkdir -p .build/dist-1 &&"
                        + " { [ -L .build/dist ] || ln -s dist-1 .build/dist; }");
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Scripts.write(home.resolve("bin/java"), "for a in \"$@\"; do echo \"arg:$a\"; done");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Scripts.Ran run(Path launcher, Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(Arrays.asList(arguments));
        return Scripts.run(folder, environment, command);
    }

    @Test
    void runs_from_another_folder_and_hands_arguments_on_as_they_are() throws Exception {
        Scripts.Ran ran = run(
                tree.resolve("ringmaster"),
                Map.of("JAVA_HOME", jdk("jdk", "17.0.9").toString()),
                "cql",
                "-e",
                "a  b");
        assertThat(ran.exit()).isZero();
        assertThat(ran.output())
                .contains("arg:io.ringmaster.launcher.Main\narg:cql\narg:-e\narg:a  b\n")
                .contains("arg:-Dringmaster.root=" + tree.toRealPath())
                .contains("arg:-Dringmaster.terminal=false", "arg:-Dringmaster.person=false");
    }

    @Test
    void messages_name_the_program_as_it_was_started() throws Exception {
        Map<String, String> jdk = Map.of("JAVA_HOME", jdk("jdk", "17").toString());
        assertThat(run(tree.resolve("ringmaster"), jdk, "version").output())
                .contains("arg:-Dringmaster.program=" + tree.resolve("ringmaster") + "\n");
        Map<String, String> installed =
                Map.of("JAVA_HOME", jdk.get("JAVA_HOME"), "PATH", tree + ":" + System.getenv("PATH"));
        assertThat(run(tree.resolve("ringmaster"), installed, "version").output())
                .contains("arg:-Dringmaster.program=ringmaster\n");
    }

    @Test
    void runs_through_a_link() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("rm"), tree.resolve("ringmaster"));
        Scripts.Ran ran = run(link, Map.of("JAVA_HOME", jdk("jdk", "17").toString()), "--version");
        assertThat(ran.output()).contains("arg:-Dringmaster.root=" + tree.toRealPath(), "arg:--version");
    }

    @Test
    void everything_is_run_from_the_folder_of_the_build_and_not_through_the_link_to_the_newest() throws Exception {
        Scripts.Ran ran = run(
                tree.resolve("ringmaster"), Map.of("JAVA_HOME", jdk("jdk", "17").toString()), "--version");
        Path dist = tree.toRealPath().resolve(".build/dist-1");
        assertThat(ran.output())
                .contains("arg:-Dringmaster.dist=" + dist + "\n")
                .contains("arg:" + dist + "/cli/*\n")
                .contains("arg:-Dringmaster.archives=" + dist + "/archives-");
    }

    @Test
    void class_archives_are_made_once_for_a_build_and_a_jdk() throws Exception {
        Path home = jdk("jdk", "17");
        Scripts.write(
                home.resolve("bin/java"),
                "for a in \"$@\"; do case $a in -XX:ArchiveClassesAtExit=*) echo made >>\"${a#*=}\";; esac;"
                        + " echo \"arg:$a\"; done");
        Map<String, String> environment = Map.of("JAVA_HOME", home.toString());
        run(tree.resolve("ringmaster"), environment, "--version");
        Scripts.Ran second = run(tree.resolve("ringmaster"), environment, "--version");
        try (var folders = Files.list(tree.resolve(".build/dist-1"))) {
            List<Path> made = folders.filter(Files::isDirectory).toList();
            assertThat(made).singleElement().satisfies(archives -> {
                assertThat(archives.resolve("cli.jsa")).hasContent("made");
                assertThat(archives.resolve("server.jsa")).hasContent("made");
                assertThat(archives.resolveSibling("transfer.jsa"))
                        .as("where executors look")
                        .hasContent("made");
                assertThat(second.output()).contains("arg:-XX:SharedArchiveFile=" + archives.toRealPath() + "/cli.jsa");
            });
        }
    }

    @Test
    void a_java_of_another_version_is_passed_over() throws Exception {
        Path wrong = jdk("jdk-21", "21.0.1");
        Path right = jdk("jdk-17", "17.0.1");
        String path = right.resolve("bin") + ":" + System.getenv("PATH");
        Scripts.Ran ran =
                run(tree.resolve("ringmaster"), Map.of("JAVA_HOME", wrong.toString(), "PATH", path), "--version");
        assertThat(ran.exit()).isZero();
        assertThat(ran.output()).contains("arg:--version");
    }

    @Test
    void a_failing_build_stops_it() throws Exception {
        Scripts.write(tree.resolve("dev"), "echo 'dev: the build failed'; exit 1");
        Scripts.Ran ran = run(
                tree.resolve("ringmaster"),
                Map.of("JAVA_HOME", jdk("jdk", "17.0.9").toString()),
                "--version");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.output()).contains("the build failed").doesNotContain("arg:");
    }
}
