package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RebuildTaskTest {
    @Test
    void a_keyspace_is_streamed_again_after_a_drop_but_not_without_an_end() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        RebuildTask.Streaming third = tables -> attempts.incrementAndGet() < 3 ? Optional.empty() : Optional.of(true);
        assertThat(RebuildTask.streamUnlessDropped("rides", () -> Optional.of(List.of()), third))
                .isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(RebuildTask.streamUnlessDropped("rides", Optional::empty, tables -> Optional.of(true)))
                .as("the keyspace was dropped")
                .isFalse();
        assertThatThrownBy(() -> RebuildTask.streamUnlessDropped(
                        "rides", () -> Optional.of(List.of()), tables -> Optional.empty()))
                .hasMessageStartingWith("tables of keyspace rides were dropped during each of 20 attempts to");
    }
}
