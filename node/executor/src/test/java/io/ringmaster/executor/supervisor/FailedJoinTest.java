package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
    void it_is_ended_and_counts_as_an_exit_with_the_reason_that_cassandra_logged() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINS, "sleep", "60")) {
            Files.writeString(
                    node.files().systemLog(),
                    "ERROR [main] 2026-11-30 20:00:00,000 StorageService.java:2260 - Error while waiting on bootstrap"
                            + " to complete. Bootstrap will have to be restarted.\n"
                            + "java.util.concurrent.ExecutionException: StreamException: Stream failed\n"
                            + "\tat java.base/java.lang.Thread.run(Thread.java:840)\n");
            node.companion().report("JOINING", false);
            node.loop().start();
            StatusBoard board = node.supervisor().board();
            AdoptedNode.until(() -> board.read().status().mode() == OperatingMode.JOINING);
            CountDownLatch drained = node.companion().holdDrain();
            node.companion().report("JOINING_FAILED", false);
            Problem problem =
                    node.await(s -> s.mode() == OperatingMode.DRAINING).problem();
            assertThat(problem).isNotNull();
            assertThat(problem.code()).isEqualTo(ErrorCode.DAEMON_FAILED);
            assertThat(problem.message())
                    .isEqualTo("its bootstrap failed: Error while waiting on bootstrap to complete. Bootstrap will have"
                            + " to be restarted. java.util.concurrent.ExecutionException: StreamException: Stream"
                            + " failed");
            drained.countDown();
            node.await(s -> s.mode() == OperatingMode.DOWN && s.exits() == 1);
            assertThat(node.daemon().isAlive()).isFalse();
        }
    }
}
