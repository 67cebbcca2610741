package io.ringmaster.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import org.junit.jupiter.api.Test;

class FailedStartsTest {
    private final FailedStarts starts = new FailedStarts();

    @Test
    void they_are_a_problem_of_the_node_after_five_turns_and_a_minute() {
        for (int i = 0; i < 8; i++) {
            assertThat(starts.failed(1000L * i)).isNull();
        }
        assertThat(starts.failed(59_999)).isNull();
        assertThat(starts.failed(60_000)).extracting(Problem::code).isEqualTo(ErrorCode.EXECUTOR_FAILED);
    }

    @Test
    void one_that_passes_ends_them() {
        assertThat(starts.failed(0)).isNull();
        starts.passed();
        for (int i = 1; i < 5; i++) {
            assertThat(starts.failed(60_000L * i))
                    .as("only the fifth turn counts")
                    .isNull();
        }
        assertThat(starts.failed(300_000)).isNotNull();
    }

    @Test
    void the_pause_grows_up_to_half_a_minute() {
        starts.failed(0);
        assertThat(starts.pauseMillis()).isEqualTo(1000);
        for (int i = 0; i < 10; i++) {
            starts.failed(0);
        }
        assertThat(starts.pauseMillis()).isEqualTo(30_000);
    }
}
