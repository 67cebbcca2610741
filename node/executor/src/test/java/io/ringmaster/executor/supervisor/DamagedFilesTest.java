package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No file of its own keeps an executor from its node, whatever a crash or a person has made of it. */
@Timeout(120)
class DamagedFilesTest {
    private static final TestTargets JOINED = TestTargets.first().joined();
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    /** The class is an argument without a meaning here: a daemon is found by it where its record is lost. */
    private static final String[] LIKE_CASSANDRA = {"tail", "-f", "/dev/null", "io.ringmaster.companion.Launch"};

    @TempDir
    Path directory;

    /** @param again whether it is there again, and sound, once the node is supervised */
    private record Row(String name, Function<NodeFiles, Path> file, boolean aside, boolean again) {}

    private static final List<Row> FILES = List.of(
            new Row("target.json", NodeFiles::target, true, false),
            new Row("daemon.json", NodeFiles::daemonState, true, true),
            new Row("daemon.json.copy", NodeFiles::daemonStateCopy, true, true),
            new Row("daemon.pid", NodeFiles::daemonPid, true, true),
            new Row("task.json", NodeFiles::task, true, false),
            new Row("transfer.json", NodeFiles::transfer, true, false),
            new Row("seed-servers", NodeFiles::seedServers, false, true),
            new Row("cassandra.yaml", files -> files.conf().resolve("cassandra.yaml"), false, false),
            new Row("seeds.json", NodeFiles::seedCache, false, false),
            new Row("node.pem", NodeFiles::certificate, false, false),
            new Row("cql.pem", NodeFiles::cqlCertificate, false, false),
            new Row("internode-trust.pem", NodeFiles::internodeTrust, false, false));

    private static void write(NodeFiles files) throws IOException {
        Files.createDirectories(files.directory("data").resolve("system"));
        Files.createDirectories(files.identity());
        for (Row row : FILES) {
            Path file = row.file().apply(files);
            if (!Files.exists(file)) {
                Files.writeString(file, "some text that is long enough to be cut into two halves\n");
            }
        }
        for (Path file : List.of(files.task(), files.transfer())) {
            Files.writeString(
                    file,
                    Json.text(new TaskStatus(
                            "task-0", NodeTask.Kind.FLUSH, TaskStatus.State.DONE, 1, 1, "tables", "", TIME, TIME)));
        }
    }

    private static void truncate(Path file, boolean half) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, half ? whole.length / 2 : 0));
    }

    @TestFactory
    Stream<DynamicTest> the_executor_goes_on_with_the_daemon_that_runs() {
        return FILES.stream().flatMap(row -> Stream.of(true, false)
                .map(half -> dynamicTest(row.name() + (half ? " half" : " empty"), () -> check(row, half))));
    }

    private void check(Row row, boolean half) throws Exception {
        Path allocation = Files.createDirectory(directory.resolve(row.name() + half));
        AdoptedNode.Before damage = files -> {
            write(files);
            truncate(row.file().apply(files), half);
            if (row.name().equals("daemon.json")) {
                Files.delete(files.daemonStateCopy()); // what a copy holds needs no recovery
            }
        };
        try (AdoptedNode node = new AdoptedNode(allocation, JOINED, damage, LIKE_CASSANDRA)) {
            Path file = row.file().apply(node.files());
            node.loop().start();
            NodeStatus status = node.await(s -> s.mode() == OperatingMode.NORMAL);

            assertThat(status.executorPid()).isPositive();
            assertThat(status.daemonPid()).isEqualTo(node.daemon().pid());
            assertThat(status.problem()).isNull();
            assertThat(status.exits()).isZero();
            if (row.aside()) {
                assertThat(file.resolveSibling(row.name() + ".damaged")).exists();
            }
            if (row.again()) {
                AdoptedNode.until(() -> Files.exists(file) && file.toFile().length() > 0);
            }
            followsTheNextTarget(node);
            assertThat(node.daemon().isAlive()).as("never started again").isTrue();
            assertThat(ProcessIdentity.read(node.files().daemonPid()))
                    .hasValueSatisfying(known ->
                            assertThat(known.pid()).isEqualTo(node.daemon().pid()));
            assertThat(DaemonState.read(node.files()))
                    .hasValueSatisfying(state -> assertThat(state.joined()).isTrue());
        }
    }

    private static void followsTheNextTarget(AdoptedNode node) throws Exception {
        TargetStore targets = node.supervisor().targets();
        TestTargets next = JOINED.next();
        assertThat(targets.accept(next.target())).isEmpty();
        node.await(s -> s.generation() == next.target().generation() && s.mode() == OperatingMode.NORMAL);
        assertThat(Json.parse(Files.readAllBytes(node.files().target()), NodeTarget.class))
                .isEqualTo(next.target());
    }
}
