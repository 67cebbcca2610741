package io.ringmaster.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphansTest {
    private static final String DAEMON = "org.apache.cassandra.service.CassandraDaemon";

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path work;

    @BeforeEach
    void workFolder() throws IOException {
        work = Files.createDirectories(folder.resolve("work"));
    }

    @AfterEach
    void kill() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** As a node of {@code StockNode}, whose only words with its folder are options. */
    private Process node(Path home) throws IOException {
        return start(new ProcessBuilder(
                "bash",
                "-c",
                "exec -a /jdk/bin/java bash -c 'echo up; read' \"$@\"",
                "bash",
                DAEMON,
                "-Xlog:gc*:file=" + home + "/gc.log:uptime"));
    }

    /** Cleans up at SIGTERM, as {@code bench/engine/with-disk} does. */
    private Process script(String results, Path cleaned) throws IOException {
        Path script = Files.createDirectories(folder.resolve("bench/engine")).resolve("with-disk");
        Files.writeString(script, "trap 'echo >\"$1\"; exit' TERM\necho up\nwhile :; do sleep 0.05; done\n");
        var builder = new ProcessBuilder("bash", script.toString(), cleaned.toString());
        builder.environment().put("RESULTS", results);
        return start(builder);
    }

    private static void isUp(Process process) throws IOException {
        assertThat(process.inputReader().readLine()).isEqualTo("up");
    }

    @Test
    void nodesOfAKilledRunAreEndedAndOthersStay() throws Exception {
        Process orphan = node(work.resolve("million/ring-1/node-1"));
        Process other = node(folder.resolve("elsewhere"));
        isUp(orphan);
        isUp(other);
        Orphans.end(work);
        assertThat(orphan.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void aBenchmarkOfAKilledRunCleansUpAndOneStartedByHandStays() throws Exception {
        Path cleaned = folder.resolve("cleaned");
        Process orphan = script(work + "/ndbench/engine/results", cleaned);
        Process other = script(folder + "/results", folder.resolve("not-cleaned"));
        isUp(orphan);
        isUp(other);
        Orphans.end(work);
        assertThat(orphan.isAlive()).isFalse();
        assertThat(cleaned).exists();
        assertThat(other.isAlive()).isTrue();
    }
}
