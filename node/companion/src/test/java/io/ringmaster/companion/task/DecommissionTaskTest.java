package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DecommissionTaskTest {
    private final Progress progress = new Progress();
    private final Deque<Optional<String>> down = new ArrayDeque<>();
    private int calls;

    /** @param after the mode once the call into Cassandra has returned */
    private DecommissionTask task(String after) {
        return new DecommissionTask(new DecommissionTask.Node() {
            @Override
            public Optional<String> memberDown() {
                if (down.size() == 1) {
                    progress.stop();
                }
                return down.isEmpty() ? Optional.empty() : down.remove();
            }

            @Override
            public void leave() {
                calls++;
            }

            @Override
            public String mode() {
                return after;
            }
        });
    }

    @Test
    void a_node_that_is_to_leave_waits_while_it_sees_a_member_down_and_names_it() throws Exception {
        down.addAll(List.of(Optional.of("127.1.1.2:7000"), Optional.of("127.1.1.2:7000")));
        assertThat(task("NORMAL").run(progress)).isEqualTo("stopped before it left");
        assertThat(progress.message()).isEqualTo("waits for 127.1.1.2:7000, which is down");
        assertThat(calls).isZero();
    }

    @Test
    void a_node_has_left_when_cassandra_says_so() throws Exception {
        assertThat(task("DECOMMISSIONED").run(progress)).isEqualTo("left the ring");
        assertThat(calls).isEqualTo(1);
    }

    /** Cassandra returns at once while another decommission runs: rows are on this node alone still. */
    @Test
    void a_call_that_returned_is_no_decommission() {
        assertThatThrownBy(() -> task("LEAVING").run(progress))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Cassandra has not left the ring, the node is LEAVING: ");
    }
}
