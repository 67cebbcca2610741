package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant wall = START;
    private long nanos;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    private Instant after(int seconds) {
        wall = wall.plusSeconds(seconds);
        nanos += Duration.ofSeconds(seconds).toNanos();
        return clock.now();
    }

    @Test
    void it_is_the_wall_clock_until_that_steps_back() {
        assertThat(clock.now()).isEqualTo(START);
        assertThat(after(10)).isEqualTo(START.plusSeconds(10));
    }

    @Test
    void a_step_forward_is_followed() {
        wall = wall.plusSeconds(3600);
        assertThat(clock.now()).isEqualTo(START.plusSeconds(3600));
    }

    @Test
    void a_long_step_back_is_followed_too() {
        wall = wall.plusSeconds(366L * 24 * 3600);
        assertThat(clock.now()).isEqualTo(wall);
        wall = START;
        assertThat(after(1)).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void after_a_step_back_it_runs_at_half_speed_until_the_wall_clock_is_there() {
        wall = wall.minusSeconds(60);
        assertThat(clock.now()).isEqualTo(START);
        assertThat(after(20)).isEqualTo(START.plusSeconds(10));
        assertThat(after(90)).isEqualTo(START.plusSeconds(55));
        assertThat(after(10)).isEqualTo(START.plusSeconds(60));
        assertThat(after(10)).isEqualTo(START.plusSeconds(70));
    }
}
