package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** metronome writes at a steady rate and at LOCAL_QUORUM, however slow the cluster is, and remembers what it wrote. */
final class OpenLoopLoad implements AutoCloseable {
    private static final int LIMIT_S = 120;

    private final Path folder;
    private final Process process;

    private OpenLoopLoad(Path folder, ClusterStatus cluster, String replication) {
        this.folder = folder;
        process = start(
                List.of(
                        "run",
                        "writes",
                        "--rate=200",
                        "--duration=1h",
                        "--consistency=local_quorum",
                        "--replication=" + replication,
                        "--send-again", // as drivers do when a server turns a request away because it stops
                        "--max-behind=60s",
                        "--output=load.json",
                        hosts(cluster)),
                "load.log");
    }

    private static String hosts(ClusterStatus cluster) {
        return cluster.datacenters().get(0).nodes().stream()
                .map(NodeState::cqlEndpoint)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(",", "--hosts=", ""));
    }

    /** Starts, and returns when rows are written. */
    static OpenLoopLoad on(ClusterStatus cluster, String replication) {
        OpenLoopLoad load;
        try {
            load = new OpenLoopLoad(Files.createDirectories(Playground.HOME.resolve("load")), cluster, replication);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            String log = Patience.until(
                    "rows to be written",
                    Duration.ofSeconds(LIMIT_S),
                    () -> load.log("load.log"),
                    text -> !load.process.isAlive() || text.contains("  2s "));
            assertThat(load.process.isAlive()).as(log).isTrue();
            return load;
        } catch (AssertionError e) {
            load.close();
            throw e;
        }
    }

    private Process start(List<String> arguments, String log) {
        List<String> command = new ArrayList<>();
        command.add(Playground.metronome().orElseThrow().toString());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(log).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start metronome", e);
        }
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS))
                .as("metronome ends")
                .isTrue();
        return process.exitValue();
    }

    /** Ends the load. No request may have failed, and every acknowledged row must be in the cluster. */
    void assertNothingFailedAndNothingLost(ClusterStatus cluster) throws InterruptedException {
        process.destroy();
        end(process);
        assertThat(log("load.log")).containsPattern("[1-9][0-9,]+ requests meant to start, .* ok, 0 failed");
        int verified = end(start(List.of("verify", "load.json", hosts(cluster)), "verify.log"));
        assertThat(verified).as(log("verify.log")).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
