package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Backoff backoff = new Backoff();

    @Test
    void theFirstRestartIsImmediateAndTheNextPausesDoubleUpToAMinute() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            backoff.ended(NOW, Duration.ZERO);
            pauses.add(backoff.remaining(NOW).toSeconds());
        }
        assertThat(pauses).containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void aGoodRunResetsThePause() {
        for (int i = 0; i < 6; i++) {
            backoff.ended(NOW, Duration.ZERO);
        }
        backoff.ended(NOW, Duration.ofMinutes(5));
        assertThat(backoff.remaining(NOW)).isZero();
    }

    @Test
    void thePauseExpires() {
        backoff.endedForGood(NOW);
        assertThat(backoff.remaining(NOW.plusSeconds(59))).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.remaining(NOW.plusSeconds(61))).isZero();
    }

    @Test
    void aResetMakesTheNextStartDue() {
        backoff.endedForGood(NOW);
        backoff.reset();
        assertThat(backoff.remaining(NOW)).isZero();
    }
}
