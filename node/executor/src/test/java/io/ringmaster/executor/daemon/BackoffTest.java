package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffTest {
    /** Of the monotonic clock, which may start anywhere; here it overflows within a minute. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();

    private final Backoff backoff = new Backoff(() -> now);

    private void pass(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void theFirstRestartIsImmediateAndTheNextPausesDoubleUpToAMinute() {
        assertThat(backoff.remaining()).isZero();
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            backoff.ended(Duration.ZERO);
            pauses.add(backoff.remaining().toSeconds());
        }
        assertThat(pauses).containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void aGoodRunResetsThePause() {
        for (int i = 0; i < 6; i++) {
            backoff.ended(Duration.ZERO);
        }
        backoff.ended(Duration.ofMinutes(5));
        assertThat(backoff.remaining()).isZero();
    }

    @Test
    void thePauseExpires() {
        backoff.endedForGood();
        pass(59);
        assertThat(backoff.remaining()).isEqualTo(Duration.ofSeconds(1));
        pass(2);
        assertThat(backoff.remaining()).isZero();
    }

    @Test
    void aResetMakesTheNextStartDue() {
        backoff.endedForGood();
        backoff.reset();
        assertThat(backoff.remaining()).isZero();
    }
}
