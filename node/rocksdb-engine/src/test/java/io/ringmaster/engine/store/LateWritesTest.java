package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LateWritesTest {
    private static final long DAY = 86_400;
    private static final long HOUR = 3600;
    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong stored = new AtomicLong(NONE);

    private LateWrites create(long nowSeconds) {
        return new LateWrites(stored.get(), nowSeconds, DAY, stored::set);
    }

    @Test
    void aLateWriteIsForgottenOnceItIsMerged() {
        LateWrites late = create(0);
        assertThat(late.oldest()).isEqualTo(NONE);
        assertThat(late.note(5, 10)).isTrue();
        assertThat(late.note(7, 11)).isFalse();
        assertThat(stored).as("durable before the write is visible").hasValue(5);
        late.forgetBefore(11);
        assertThat(late.oldest()).isEqualTo(5);
        late.forgetBefore(12);
        assertThat(late.oldest()).isEqualTo(NONE);
        assertThat(stored).hasValue(NONE);
    }

    /** As by an application whose timestamps are in milliseconds. */
    @Test
    void lateWritesAllTheTimeDoNotLimitThePurgeForEver() {
        LateWrites late = create(0);
        for (long now = 0; now < 30 * DAY; now += HOUR) {
            late.note(now, now);
            late.forgetBefore(now - 2 * DAY);
            assertThat(late.oldest()).as("after %d s", now).isBetween(now - 4 * DAY, Math.max(0, now - 2 * DAY));
            assertThat(stored).hasValue(late.oldest());
        }
    }

    @Test
    void theLimitStaysAfterARestart() {
        create(0).note(5, 10);
        LateWrites restarted = create(20);
        assertThat(restarted.oldest()).isEqualTo(5);
        restarted.forgetBefore(20);
        assertThat(restarted.oldest()).isEqualTo(5);
        restarted.forgetBefore(21);
        assertThat(restarted.oldest()).isEqualTo(NONE);
    }
}
