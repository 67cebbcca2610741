package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a companion does not do is a state of its daemon, and never a failure of the executor. */
@Timeout(60)
class SilentCompanionTest {
    /** The engine is not installed here, so that no daemon starts after the one of the test. */
    private static final TestTargets JOINED = TestTargets.first()
            .joined()
            .spec(1, Map.of("memtable", Map.of("class_name", "io.ringmaster.engine.RocksDB")));

    @TempDir
    Path directory;

    private AdoptedNode serving() throws Exception {
        AdoptedNode node = new AdoptedNode(directory, JOINED, "sleep", "60");
        node.loop().start();
        AdoptedNode.until(node.supervisor().board()::ready);
        return node;
    }

    @Test
    void a_task_that_it_does_not_take_in_time_is_asked_again_and_the_node_stays_ready_for_a_while() throws Exception {
        try (AdoptedNode node = serving()) {
            node.companion().breakOff("POST /task");
            node.supervisor()
                    .targets()
                    .accept(JOINED.task(NodeTask.Kind.COMPACT, Map.of()).target());
            NodeStatus silent = node.await(s -> s.mode() == OperatingMode.UNKNOWN);
            assertThat(silent.activity()).startsWith("its companion does not answer: ");
            assertThat(silent.problem()).isNull();
            assertThat(node.supervisor().board().ready()).isTrue();
            AdoptedNode.until(() -> node.companion().requests().stream()
                            .filter(request -> request.startsWith("POST /task "))
                            .count()
                    > 1);
            node.companion().breakOff("nothing");
            node.await(s -> s.mode() == OperatingMode.NORMAL);
        }
    }

    @Test
    void the_text_of_an_error_reaches_people() throws Exception {
        try (AdoptedNode node = serving()) {
            node.companion().fail("java.lang.AssertionError: /127.0.0.1:7000 is no member");
            NodeStatus status = node.await(s -> s.mode() == OperatingMode.UNKNOWN);
            assertThat(status.activity())
                    .isEqualTo("its companion answers 500: java.lang.AssertionError: /127.0.0.1:7000 is no member");
            assertThat(status.problem()).isNull();
        }
    }

    @Test
    void the_answer_of_another_process_is_no_answer() throws Exception {
        try (AdoptedNode node = serving()) {
            node.companion().reportPid(1);
            assertThat(node.await(s -> s.mode() == OperatingMode.UNKNOWN).activity())
                    .isEqualTo("the process 1 answers on the socket of the daemon "
                            + node.daemon().pid() + ": end the one that should not run on this volume");
        }
    }

    @Test
    void an_end_that_cannot_be_stored_is_counted_once() throws Exception {
        try (AdoptedNode node = serving()) {
            Files.delete(node.files().daemonState());
            Files.createDirectories(node.files().daemonState().resolve("obstacle"));
            node.daemon().kill();
            node.await(s -> s.exits() == 1);
            AdoptedNode.until(() -> !Files.exists(node.files().daemonPid()));
            assertThat(node.await(s -> s.daemonPid() == null).exits()).isEqualTo(1);
        }
    }
}
