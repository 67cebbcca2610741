package io.ringmaster.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailureLimitTest {
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final FailureLimit limit = new FailureLimit(() -> now);

    @Test
    void each_address_has_ten_failures_a_second() {
        for (int i = 0; i < FailureLimit.PER_SECOND; i++) {
            assertThat(limit.isBeyond("192.0.2.1")).isFalse();
        }
        assertThat(limit.isBeyond("192.0.2.1")).isTrue();
        assertThat(limit.isBeyond("192.0.2.2")).isFalse();
        now = now.plusSeconds(1);
        assertThat(limit.isBeyond("192.0.2.1")).isFalse();
    }
}
