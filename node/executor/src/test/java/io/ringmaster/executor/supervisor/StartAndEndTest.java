package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.RunMark;
import io.ringmaster.host.FreePorts;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program in place of the JVM: twice it writes a heap dump and ends as a JVM without memory does. */
@Timeout(60)
class StartAndEndTest {
    private static final String NO_MEMORY =
            """
            #!/bin/sh
            ls tmp >> seen
            echo start >> starts
            [ "$(wc -l < starts)" -le 2 ] || exec sleep 60
            sleep 0.2
            echo content > logs/java_pid$$.hprof
            exit 3
            """;

    @TempDir
    Path directory;

    @Test
    void what_former_daemons_left_goes_and_the_start_of_the_run_is_recorded() throws Exception {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        Files.writeString(files.systemLog(), "of a former run\n");
        Files.writeString(files.temporary().resolve("library.so"), "x");
        Files.writeString(files.logs().resolve("java_pid1.hprof"), "x");
        Path jars = Files.createDirectory(directory.resolve("jars"));
        Files.createFile(jars.resolve("cassandra.jar"));
        Path java = Files.writeString(directory.resolve("java"), NO_MEMORY);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        NodePorts ports = new NodePorts(FreePorts.next(), FreePorts.next(), FreePorts.next(), FreePorts.next());
        TestTargets target = TestTargets.first().at(ports, List.of());
        Files.write(files.target(), Json.bytes(target.target()));
        Supervisor supervisor = new Supervisor(
                target.target().node(),
                TestTargets.ADDRESS,
                files,
                new Installation(java, jars, jars.resolve("companion"), null, null),
                null,
                Map.of(),
                0);
        Thread loop = new Thread(supervisor, "supervisor");
        loop.start();
        try {
            AdoptedNode.until(() -> supervisor.board().read().status().exits() >= 2);
        } finally {
            loop.interrupt();
            loop.join();
            Daemon.adopt(files).ifPresent(Daemon::kill);
        }
        NodeStatus status = supervisor.board().read().status();
        assertThat(status.problem().message()).startsWith("Cassandra ended with exit code 3, its heap is in ");
        assertThat(status.problem().field()).isEqualTo("heap");
        assertThat(files.volume().resolve("seen")).as("temporary files").isEmptyFile();
        try (Stream<Path> logs = Files.list(files.logs())) {
            assertThat(logs.filter(log -> log.toString().endsWith(".hprof"))).hasSize(1);
        }
        RunMark run = DaemonState.read(files).orElseThrow().run();
        assertThat(run).isNotNull().extracting(RunMark::bytes).isEqualTo(Files.size(files.systemLog()));
    }
}
