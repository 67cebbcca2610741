package io.ringmaster.model.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClocksTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static boolean hasPassed(int secondsLater) {
        return Clocks.hasPassed(MINUTE, NOON, NOON.plusSeconds(secondsLater));
    }

    @Test
    void a_wait_ends_after_its_time_and_when_the_clock_was_set_back_by_more() {
        assertThat(hasPassed(59)).isFalse();
        assertThat(hasPassed(60)).isTrue();
        assertThat(hasPassed(-59)).isFalse();
        assertThat(hasPassed(-3600)).isTrue();
    }
}
