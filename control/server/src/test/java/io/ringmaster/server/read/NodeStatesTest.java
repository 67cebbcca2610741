package io.ringmaster.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.Stage;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeStatesTest {
    private static final Instant RESERVED = Instant.parse("2026-01-02T03:04:05Z");

    private static Instant after(long ms) {
        return RESERVED.plusMillis(ms);
    }

    @Test
    void each_stage_of_the_first_start_counts_from_the_one_before() {
        Map<Stage, Long> took = NodeStates.stagesMs(
                RESERVED,
                Map.of(
                        Stage.OFFER, after(0),
                        Stage.LAUNCH, after(200),
                        Stage.EXECUTOR, after(800),
                        Stage.DAEMON, after(4_000),
                        Stage.JOINED, after(7_000)));
        assertThat(took)
                .isEqualTo(Map.of(
                        Stage.OFFER,
                        0L,
                        Stage.LAUNCH,
                        200L,
                        Stage.EXECUTOR,
                        600L,
                        Stage.DAEMON,
                        3_200L,
                        Stage.JOINED,
                        3_000L));
    }

    @Test
    void a_later_start_counts_from_its_own_launch_regardless_of_the_time_of_placement() {
        Map<Stage, Long> took = NodeStates.stagesMs(
                RESERVED,
                Map.of(Stage.LAUNCH, after(256_000), Stage.DAEMON, after(259_000), Stage.JOINED, after(261_000)));
        assertThat(took).isEqualTo(Map.of(Stage.DAEMON, 3_000L, Stage.JOINED, 2_000L));
    }
}
