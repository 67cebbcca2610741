package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon whose bootstrap broke off: Cassandra would wait for ever for somebody to resume it. */
@Timeout(60)
class FailedJoinTest {
    /** The engine is not installed here, so that no daemon starts after the one of the test. */
    private static final TestTargets JOINS =
            TestTargets.first().spec(1, Map.of("memtable", Map.of("class_name", "io.ringmaster.engine.RocksDB")));

    @TempDir
    Path directory;

    @Test
    void it_is_ended_and_counts_as_an_exit() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINS, "sleep", "60")) {
            node.companion().report("JOINING", false);
            node.loop().start();
            StatusBoard board = node.supervisor().board();
            AdoptedNode.until(() -> board.read().status().mode() == OperatingMode.JOINING);
            node.companion().report("JOINING_FAILED", false);
            AdoptedNode.until(() -> board.read().status().mode() == OperatingMode.DOWN);
            assertThat(board.read().status().exits()).isEqualTo(1);
        }
    }
}
