package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {
    @TempDir
    private Path allocation;

    private NodeFiles files;

    @BeforeEach
    void an_empty_volume() throws IOException {
        files = new NodeFiles(allocation);
        files.create();
    }

    /** Uses any free ports. */
    private Optional<Problem> problem(TestTargets targets) throws IOException {
        NodeTarget target = targets.at(new NodePorts(0, 0, 0, 0), List.of()).target();
        DaemonStateFile state = new DaemonStateFile(files, Map.of());
        state.recover(target, null);
        return Preflight.problem(target, NodeAddress.of("127.0.0.1", null), files, state.current());
    }

    private void holds(DaemonState state) throws IOException {
        Files.createDirectories(files.directory("data").resolve("system"));
        state.write(files);
    }

    @Test
    void a_node_that_never_joined_starts_on_an_empty_volume() throws IOException {
        assertThat(problem(TestTargets.first())).isEmpty();
    }

    @Test
    void a_joined_node_does_not_start_on_an_empty_volume() throws IOException {
        assertThat(problem(TestTargets.first().joined())).hasValueSatisfying(p -> {
            assertThat(p.code()).isEqualTo(ErrorCode.MACHINE_LOST);
            assertThat(p.message()).contains("is empty, though it has joined the ring");
            assertThat(p.nextStep()).asString().contains("node replace rides/dc1/node-0");
        });
        holds(DaemonState.none());
        assertThat(problem(TestTargets.first().joined()))
                .as("another daemon was started there since")
                .hasValueSatisfying(p -> assertThat(p.message()).contains("holds the data of a daemon that never"));
    }

    @Test
    void a_record_that_is_lost_or_damaged_is_no_lost_volume() throws IOException {
        for (String damage : Arrays.asList(null, "", "{\"specVersion\":1,\"restarts\":0,\"fingerp", "null", "{}")) {
            holds(DaemonState.none().joinedAt(Map.of()));
            Files.delete(files.daemonState());
            Files.delete(files.daemonStateCopy());
            if (damage != null) {
                Files.writeString(files.daemonState(), damage);
            }
            assertThat(problem(TestTargets.first().joined())).as(damage).isEmpty();
        }
    }

    @Test
    void a_joined_node_starts_on_its_volume_as_long_as_its_data_exists() throws IOException {
        holds(DaemonState.none().joinedAt(Map.of()));
        assertThat(problem(TestTargets.first().joined())).isEmpty();
        Files.delete(files.directory("data").resolve("system"));
        assertThat(problem(TestTargets.first().joined())).isPresent();
    }

    @Test
    void a_node_with_tables_in_rocksdb_does_not_start_without_the_engine() throws IOException {
        TestTargets without = TestTargets.first();
        TestTargets with = without.spec(
                2,
                Map.of(
                        "memtable",
                        Map.of("configurations", Map.of("r", Map.of("class_name", "io.ringmaster.engine.RocksDB")))));
        Files.createDirectories(files.directory("data"));
        Files.createFile(files.directory("data").resolve("rocksdb.tables"));
        assertThat(problem(without)).hasValueSatisfying(p -> {
            assertThat(p.field()).isEqualTo("engine.rocksdb");
            assertThat(p.nextStep()).asString().contains("add the engine to the spec again");
        });
        assertThat(problem(with)).isEmpty();
        Files.delete(files.tablesInRocksDB());
        assertThat(problem(without)).isEmpty();
    }
}
