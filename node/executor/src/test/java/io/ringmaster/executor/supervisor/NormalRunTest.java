package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NormalRunTest {
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5); // it wraps
    private final NormalRun run = new NormalRun(time::get);

    @Test
    void a_daemon_proves_its_configuration_by_ten_minutes_in_a_row() {
        assertThat(run.length()).isZero();
        run.observed();
        time.addAndGet(NormalRun.PROVES.toNanos() - 1);
        run.observed();
        assertThat(run.provesConfiguration()).isFalse();
        time.incrementAndGet();
        assertThat(run.length()).isEqualTo(Duration.ofMinutes(10));
        assertThat(run.provesConfiguration()).isTrue();
    }

    @Test
    void the_next_daemon_has_to_prove_it_again() {
        run.observed();
        time.addAndGet(NormalRun.PROVES.toNanos());
        run.ended();
        run.observed();
        assertThat(run.provesConfiguration()).isFalse();
    }
}
