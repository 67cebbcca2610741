package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PauseTest {
    private final Progress progress = new Progress();

    @Test
    void it_lasts_as_long_as_the_monotonic_clock_says() throws InterruptedException {
        AtomicLong hours = new AtomicLong();
        AtomicLong looks = new AtomicLong();
        Pause.of(Duration.ofHours(3), progress, () -> {
            looks.incrementAndGet();
            return Duration.ofHours(hours.getAndIncrement()).toNanos();
        });
        assertThat(looks).hasValue(4);
    }

    @Test
    void it_ends_with_the_task() throws InterruptedException {
        AtomicLong looks = new AtomicLong();
        Pause.of(Duration.ofDays(1), progress, () -> {
            if (looks.incrementAndGet() == 2) {
                progress.stop();
            }
            return 0;
        });
        assertThat(looks).hasValue(2);
    }
}
