package io.ringmaster.executor.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.ExecutorMain;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.FreePorts;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor as a process, whose daemon is stopped. */
@Timeout(60)
class TransferOfExecutorTest {
    private static final NodeTask UPLOAD =
            new NodeTask("backup-upload-node-0-2", NodeTask.Kind.BACKUP_UPLOAD, Map.of("to", "main"));

    @TempDir
    private Path directory;

    private @Nullable Process executor;

    @AfterEach
    void end() {
        if (executor != null) {
            executor.destroyForcibly();
        }
    }

    private Process start(NodeFiles files) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ExecutorMain.JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ExecutorMain.class.getName()));
        command.addAll(List.of("--node", "rides/dc1/node-0", "--listen", "127.0.0.1", "--port", "" + FreePorts.next()));
        command.addAll(List.of("--directory", files.allocation().toString(), "--jars", directory.toString()));
        String java = directory.resolve("java").toString();
        command.addAll(List.of("--companion", java, "--java", java));
        command.addAll(List.of("--transfer", directory.toString(), "--locations", directory + "/none-yet"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("out").toFile()))
                .start();
        executor = process;
        return process;
    }

    @Test
    void a_transfer_needs_no_daemon_halts_with_its_executor_and_is_continued_by_the_next_one() throws Exception {
        try (FakeTransfer fake = new FakeTransfer(directory)) {
            NodeFiles files = new NodeFiles(Files.createDirectory(directory.resolve("allocation")));
            Files.writeString(files.token(), "0123456789abcdef0123456789abcdef");
            TestTargets stopped = TestTargets.first().run(false, 0).with("transfer", UPLOAD);
            Files.write(files.target(), Json.bytes(stopped.target()));
            fake.does(FakeTransfer.WORKS);
            Process first = start(files);
            while (fake.pids().isEmpty()) {
                assertThat(first.isAlive())
                        .as(Files.readString(directory.resolve("out")))
                        .isTrue();
                Thread.sleep(20);
            }
            long halting = fake.pids().get(0);
            fake.does("report DONE 10");
            first.destroyForcibly().waitFor();
            while (FakeTransfer.runs(halting)) {
                Thread.sleep(20);
            }
            start(files);
            while (!Files.exists(files.transfer())) {
                Thread.sleep(20);
            }
            TaskStatus end = Json.parse(Files.readAllBytes(files.transfer()), TaskStatus.class);
            assertThat(end.id()).isEqualTo(UPLOAD.id());
            assertThat(end.state()).isEqualTo(TaskStatus.State.DONE);
            assertThat(fake.pids()).hasSize(2);
        }
    }
}
