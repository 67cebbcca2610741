package io.ringmaster.pool.mesos.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.pool.mesos.config.AgentPrograms;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command runs in a real shell, on a Java that is played by a script. */
class ExecutorCommandTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path root;

    private @Nullable String tokenFile;

    private String run() throws IOException, InterruptedException {
        Path dist = root.resolve("it's here");
        AgentPrograms programs = new AgentPrograms(
                dist.toString(),
                root + "/jars/{cassandra}",
                root.resolve("java").toString(),
                tokenFile);
        String command = new ExecutorCommand(programs)
                .command(new NodeProgram.Start(SampleRecords.allocation(), "5.0.9", "127.0.0.11", 7));
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
        shell.directory(Files.createDirectories(root.resolve("sandbox")).toFile());
        shell.environment().put(NodeProgram.TOKEN, TOKEN);
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    private void install() throws IOException {
        Path dist = root.resolve("it's here");
        Files.createDirectories(dist.resolve("executor"));
        Files.createDirectories(dist.resolve("engine"));
        Files.createDirectories(dist.resolve("companion"));
        Files.createFile(dist.resolve("companion/companion-1.jar"));
        Files.createDirectories(root.resolve("jars/5.0.9"));
        Files.createDirectories(root.resolve("volumes/vol"));
        Files.createDirectories(root.resolve("sandbox"));
        Files.createSymbolicLink(root.resolve("sandbox/data"), root.resolve("volumes/vol"));
        Path java = root.resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"; env\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void the_executor_gets_its_token_as_a_file_and_the_directory_of_its_volume() throws Exception {
        install();
        String output = run();
        assertThat(output)
                .contains("io.ringmaster.executor.ExecutorMain\n--contained\nyes\n--node\nrides/dc1/node-0\n")
                .contains("--listen\n127.0.0.11\n--port\n9500\n--generation\n7\n")
                .contains("--directory\n" + root.toRealPath().resolve("volumes/vol") + "\n")
                .contains("--companion\n" + root + "/it's here/companion/companion-1.jar\n")
                .contains("--engine\n" + root + "/it's here/engine\n")
                .contains("-cp\n" + root + "/it's here/executor/*\n")
                .doesNotContain("--transfer", TOKEN);
        Path token = root.resolve("sandbox/token");
        assertThat(token).hasContent(TOKEN);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_token_that_is_on_the_agent_stays_where_it_is() throws Exception {
        install();
        tokenFile = Files.writeString(root.resolve("agent's token"), TOKEN).toString();
        assertThat(run()).contains("--token\n" + tokenFile + "\n");
        assertThat(root.resolve("sandbox/token")).doesNotExist();
        tokenFile = root + "/none";
        assertThat(run()).contains(tokenFile + " is not on this agent; see pool.mesos");
    }

    @Test
    void what_is_not_installed_is_named() throws Exception {
        install();
        Files.delete(root.resolve("jars/5.0.9"));
        assertThat(run()).contains(root + "/jars/5.0.9 is not on this agent; see pool.mesos");
    }
}
