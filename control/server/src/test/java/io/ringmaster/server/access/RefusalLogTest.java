package io.ringmaster.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private final AtomicInteger written = new AtomicInteger();
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final RefusalLog log = new RefusalLog(() -> now, action -> written.incrementAndGet());

    private void refuse(String address) {
        log.add(null, address, "PUT /api/v1/clusters/rides", 401, "the API token is wrong");
    }

    @Test
    void each_address_has_one_entry_a_second() {
        for (int i = 0; i < 100; i++) {
            refuse("192.0.2.1");
        }
        refuse("192.0.2.2");
        assertThat(written).hasValue(2);
        now = now.plusSeconds(1);
        refuse("192.0.2.1");
        assertThat(written).hasValue(3);
    }

    @Test
    void many_addresses_together_cannot_flood_the_store() {
        for (int i = 0; i < 5000; i++) {
            refuse("2001:db8::" + i);
        }
        assertThat(written.get()).isEqualTo(10);
    }
}
