package io.ringmaster.executor.companion;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.RingView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeAnswerTest {
    private static final RingView RING = new RingView("id", "5.0.9", "schema", 0, 0, 0, List.of(), Map.of(), List.of());

    private static NodeAnswer answer(String mode, boolean cql, @Nullable RingView ring) {
        return new NodeAnswer(1, mode, "", cql, false, null, ring, null);
    }

    @Test
    void aNormalNodeWithoutCqlAndGossipHasStoppedServing() {
        assertThat(answer("NORMAL", false, null).hasStoppedServing()).isTrue();
    }

    @Test
    void aNodeThatServesOrGossipsHasNot() {
        assertThat(answer("NORMAL", true, RING).hasStoppedServing()).isFalse();
        assertThat(answer("NORMAL", false, RING).hasStoppedServing())
                .as("CQL may be closed by its configuration")
                .isFalse();
    }

    @Test
    void aNodeThatStartsOrDrainsHasNot() {
        assertThat(answer("STARTING", false, null).hasStoppedServing()).isFalse();
        assertThat(answer("JOINING", false, null).hasStoppedServing()).isFalse();
        assertThat(answer("DRAINED", false, null).hasStoppedServing()).isFalse();
    }

    @Test
    void aNodeWhoseBootstrapBrokeOffHasFailedToJoin() {
        assertThat(answer("JOINING_FAILED", false, RING).hasFailedToJoin()).isTrue();
        assertThat(answer("JOINING", false, RING).hasFailedToJoin()).isFalse();
    }
}
