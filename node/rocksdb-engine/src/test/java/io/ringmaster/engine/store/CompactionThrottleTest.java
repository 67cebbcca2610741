package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CompactionThrottleTest {
    @Test
    void withoutABacklogCompactionsGetAQuarterOfTheLimit() {
        assertThat(CompactionThrottle.share(0, 0)).isEqualTo(0.25);
        assertThat(CompactionThrottle.share(9, 1)).isEqualTo(0.25);
    }

    @Test
    void theShareGrowsWithTheNumberOfRuns() {
        assertThat(CompactionThrottle.share(12, 0)).isEqualTo(0.625);
        assertThat(CompactionThrottle.share(15, 0)).isEqualTo(1);
        assertThat(CompactionThrottle.share(100, 0)).isEqualTo(1);
    }

    @Test
    void flushesGetTheFullLimitWhenSeveralBuffersWait() {
        assertThat(CompactionThrottle.share(0, 2)).isEqualTo(1);
    }

    @Test
    void theShareDecaysSlowlyBecauseBurstsOfLoadTendToRecur() {
        InProcess.start();
        CompactionThrottle throttle = new CompactionThrottle(64 << 20);
        throttle.adjust(0, 2);
        throttle.adjust(0, 0);
        assertThat(bytesPerSecond(throttle)).isBetween(60L << 20, 64L << 20);
        for (int i = 0; i < 100; i++) {
            throttle.adjust(0, 0);
        }
        assertThat(bytesPerSecond(throttle)).isEqualTo(16 << 20);
    }

    private static long bytesPerSecond(CompactionThrottle throttle) {
        return Objects.requireNonNull(throttle.limiter()).getBytesPerSecond();
    }

    @Test
    void withoutALimitThereIsNoLimiterToAdjust() {
        CompactionThrottle throttle = new CompactionThrottle(0);
        throttle.adjust(100, 2);
        assertThat(throttle.limiter()).isNull();
    }
}
