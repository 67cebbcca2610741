package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real JVM whose heap is full, again and again. */
@Timeout(120)
class OutOfMemoryTest {
    private static final NodeId NODE = NodeId.of("rides/dc1/node-1");

    @TempDir
    Path directory;

    /** Fills its heap. */
    static final class Hog {
        private Hog() {}

        public static void main(String[] arguments) {
            List<byte[]> held = new ArrayList<>();
            while (!held.isEmpty() || arguments.length == 0) {
                held.add(new byte[100_000]);
            }
        }
    }

    @Test
    void it_is_named_with_its_dump_and_one_dump_stays() throws Exception {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        Configuration hog = new Configuration(
                Map.of(),
                List.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+HeapDumpOnOutOfMemoryError",
                        "-XX:HeapDumpPath=" + files.logs(),
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        Path.of(Hog.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        Hog.class.getName()),
                Map.of(),
                "");
        for (int i = 0; i < 3; i++) {
            ExitReport report = new ExitReport(files, RunMark.now(files));
            Daemon daemon = Daemon.start(hog, files, List.of());
            assertThat(daemon.exitCode()).isEqualTo(OptionalInt.of(3));
            Problem problem = report.problem(NODE, daemon.pid(), OptionalInt.of(3));
            DaemonLeftovers.remove(files);
            Path dump = files.logs().resolve("java_pid" + daemon.pid() + ".hprof");
            assertThat(problem.message())
                    .isEqualTo("Cassandra ended with exit code 3, its heap is in " + DaemonLeftovers.withSize(dump)
                            + ": OutOfMemoryError: Java heap space");
            assertThat(problem.field()).isEqualTo("heap");
            assertThat(problem.nextStep()).hasToString("raise heap in the spec");
            try (Stream<Path> logs = Files.list(files.logs())) {
                assertThat(logs.filter(log -> log.toString().endsWith(".hprof")))
                        .containsExactly(dump);
            }
        }
    }
}
