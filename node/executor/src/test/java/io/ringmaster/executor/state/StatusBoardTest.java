package io.ringmaster.executor.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatusBoardTest {
    private static NodeStatus status(OperatingMode mode) {
        return new NodeStatus(
                TestTargets.first().target().node(),
                1,
                1,
                0,
                mode,
                "",
                Instant.EPOCH,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
    }

    @Test
    void a_node_is_ready_while_it_is_normal_and_serves() {
        StatusBoard board = new StatusBoard(status(OperatingMode.NORMAL));
        assertThat(board.ready()).as("before the first answer").isFalse();
        for (OperatingMode mode : OperatingMode.values()) {
            board.post(status(mode), true);
            assertThat(board.ready()).as(mode.name()).isEqualTo(mode == OperatingMode.NORMAL);
        }
        board.post(status(OperatingMode.NORMAL), true);
        long revision = board.read().revision();
        board.post(status(OperatingMode.NORMAL), false);
        assertThat(board.ready()).isFalse();
        assertThat(board.read().revision()).as("no news for the servers").isEqualTo(revision);
    }

    @Test
    void a_node_of_which_nothing_new_is_known_stays_as_ready_as_it_was() {
        StatusBoard board = new StatusBoard(status(OperatingMode.NORMAL));
        board.postUnanswered(status(OperatingMode.UNKNOWN));
        assertThat(board.ready()).isFalse();
        board.post(status(OperatingMode.NORMAL), true);
        board.postUnanswered(status(OperatingMode.UNKNOWN));
        assertThat(board.ready()).isTrue();
        assertThat(board.read().status().mode()).isEqualTo(OperatingMode.UNKNOWN);
        board.post(status(OperatingMode.UNKNOWN));
        assertThat(board.ready()).isFalse();
    }

    @Test
    void an_executor_that_ends_is_never_ready_again() {
        StatusBoard board = new StatusBoard(status(OperatingMode.NORMAL));
        board.post(status(OperatingMode.NORMAL), true);
        board.close();
        assertThat(board.ready()).isFalse();
        board.post(status(OperatingMode.NORMAL), true);
        assertThat(board.ready()).isFalse();
    }

    @Test
    void a_loop_is_live_while_it_turns() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1); // it may overflow
        Pulse pulse = new Pulse(now::get);
        now.addAndGet(Pulse.LIMIT.toNanos() - 1);
        assertThat(pulse.isLive()).isTrue();
        now.incrementAndGet();
        assertThat(pulse.isLive()).isFalse();
        pulse.beat();
        assertThat(pulse.isLive()).isTrue();
    }
}
