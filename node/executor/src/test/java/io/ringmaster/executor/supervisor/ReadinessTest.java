package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a node is ready: the load balancers and the disruption budget of a cluster of pods go by it. */
@Timeout(60)
class ReadinessTest {
    /** The engine is not installed here, so that no daemon starts after the one of the test. */
    private static final TestTargets JOINED = TestTargets.first()
            .joined()
            .spec(1, Map.of("memtable", Map.of("class_name", "io.ringmaster.engine.RocksDB")));

    @TempDir
    Path directory;

    private AdoptedNode start(TestTargets target) throws Exception {
        AdoptedNode node = new AdoptedNode(directory, target, "sleep", "60");
        node.loop().start();
        return node;
    }

    @Test
    void a_normal_node_is_ready_while_clients_can_connect() throws Exception {
        try (AdoptedNode node = start(JOINED)) {
            StatusBoard board = node.supervisor().board();
            AdoptedNode.until(board::ready);
            node.companion().report("NORMAL", false);
            AdoptedNode.until(() -> !board.ready());
            assertThat(board.read().status().mode()).isEqualTo(OperatingMode.NORMAL);
            node.companion().report("NORMAL", true);
            AdoptedNode.until(board::ready);
            node.companion().report("JOINING", true);
            AdoptedNode.until(() -> !board.ready());
        }
    }

    @Test
    void a_node_that_should_not_open_cql_is_ready_without() throws Exception {
        TestTargets closed = JOINED.with(
                "cassandraYaml",
                Map.of(
                        "memtable",
                        Map.of("class_name", "io.ringmaster.engine.RocksDB"),
                        "start_native_transport",
                        false));
        try (AdoptedNode node = start(closed)) {
            node.companion().report("NORMAL", false);
            AdoptedNode.until(node.supervisor().board()::ready);
        }
    }

    @Test
    void a_shutdown_ends_it_before_the_drain() throws Exception {
        try (AdoptedNode node = start(JOINED)) {
            StatusBoard board = node.supervisor().board();
            AdoptedNode.until(board::ready);
            CountDownLatch drained = node.companion().holdDrain();
            node.supervisor().targets().accept(JOINED.next().run(false, 0).target());
            AdoptedNode.until(() -> node.companion().requests().stream().anyMatch(r -> r.startsWith("POST /drain")));
            assertThat(board.ready()).isFalse();
            drained.countDown();
        }
    }

    @Test
    void a_requested_drain_ends_it_before_cassandra_reports_another_mode() throws Exception {
        try (AdoptedNode node = start(JOINED)) {
            StatusBoard board = node.supervisor().board();
            AdoptedNode.until(board::ready);
            TestTargets drain = JOINED.task(NodeTask.Kind.DRAIN, Map.of());
            node.supervisor().targets().accept(drain.target());
            AdoptedNode.until(() -> !board.ready());
            assertThat(board.read().status().mode()).isEqualTo(OperatingMode.NORMAL);
        }
    }
}
