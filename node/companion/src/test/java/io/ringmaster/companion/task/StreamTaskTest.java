package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StreamTaskTest {
    @Test
    void a_node_that_is_to_leave_waits_while_it_sees_a_member_down_and_names_it() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Progress progress = new Progress();
        CompletableFuture<String> stopped = new CompletableFuture<>();
        StreamTask leave = new StreamTask(StreamTask.Kind.DECOMMISSION, Map.of(), () -> {
            if (looks.incrementAndGet() == 2) {
                stopped.complete(progress.message());
                progress.stop();
            }
            return Optional.of("127.1.1.2:7000");
        });
        assertThat(leave.run(progress)).isEqualTo("stopped before it left");
        assertThat(stopped.get()).isEqualTo("waits for 127.1.1.2:7000, which is down");
    }

    @Test
    void a_keyspace_is_streamed_again_after_a_drop_but_not_without_an_end() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        StreamTask.Streaming third = tables -> attempts.incrementAndGet() < 3 ? Optional.empty() : Optional.of(true);
        assertThat(StreamTask.streamUnlessDropped("rides", () -> Optional.of(List.of()), third))
                .isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(StreamTask.streamUnlessDropped("rides", Optional::empty, tables -> Optional.of(true)))
                .as("the keyspace was dropped")
                .isFalse();
        assertThatThrownBy(() -> StreamTask.streamUnlessDropped(
                        "rides", () -> Optional.of(List.of()), tables -> Optional.empty()))
                .hasMessageStartingWith("tables of keyspace rides were dropped during each of 20 attempts to");
    }
}
