package io.ringmaster.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.backup.store.RetryingStore.Outage;
import io.ringmaster.backup.store.StoreException.Reason;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryingStoreTest {
    private static final Instant START = Instant.parse("2026-11-25T14:02:00Z");
    private static final Duration PATIENCE = Duration.ofHours(6);

    private final Failing failing = new Failing();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<Outage> outages = new ArrayList<>();
    private final RetryingStore store = new RetryingStore(failing, PATIENCE, new PausedClock(), duration -> {
        pauses.add(duration);
        outages.add(this.patient().outage().orElseThrow());
    });

    private RetryingStore patient() {
        return store;
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "THROTTLED", "DAMAGED"})
    void repeats_what_failed_for_a_passing_reason(Reason reason) throws Exception {
        failing.fail(2, reason);
        assertThat(store.get("key", 0, new byte[10])).isEqualTo(7);
        assertThat(pauses).hasSize(2);
        assertThat(store.outage()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNREACHABLE", "THROTTLED", "DAMAGED"})
    void throws_other_failures_at_once(Reason reason) {
        failing.fail(1, reason);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.stat("key"))
                .returns(reason, StoreException::reason);
        assertThat(pauses).isEmpty();
    }

    @Test
    void gives_up_at_the_end_of_its_patience() {
        failing.fail(Integer.MAX_VALUE, Reason.THROTTLED);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.put("key", Contents.of("x")));
        Duration waited = pauses.stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(waited).isBetween(PATIENCE.minusSeconds(30), PATIENCE);
        assertThat(pauses).allMatch(p -> p.toMillis() >= 200 && p.toMillis() <= 30_000);
        assertThat(pauses.get(0)).isLessThanOrEqualTo(Duration.ofMillis(400));
        assertThat(pauses.stream().distinct().count()).isGreaterThan(pauses.size() / 2);
    }

    @Test
    void damage_that_stays_is_thrown_after_three_attempts() {
        failing.fail(Integer.MAX_VALUE, Reason.DAMAGED);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.put("key", Contents.of("x")));
        assertThat(pauses).hasSize(2);
    }

    @Test
    void says_since_when_and_until_when_it_waits() throws Exception {
        failing.fail(3, Reason.UNREACHABLE);
        store.delete(List.of("key"));
        assertThat(outages).hasSize(3).allSatisfy(outage -> {
            assertThat(outage.since()).isEqualTo(START);
            assertThat(outage.until()).isEqualTo(START.plus(PATIENCE));
            assertThat(outage.last()).hasMessage("UNREACHABLE");
        });
    }

    @Test
    void other_failures_pass_through() {
        failing.content = new IOException("no such disk");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store.list("", null, 1))
                .withMessage("no such disk");
    }

    @Test
    void an_interrupt_ends_a_pause() throws Exception {
        failing.fail(Integer.MAX_VALUE, Reason.UNREACHABLE);
        var waiting = new RetryingStore(failing, PATIENCE);
        var ended = new CountDownLatch(1);
        var thread = new Thread(() -> {
            try {
                waiting.stat("key");
            } catch (InterruptedException e) {
                ended.countDown();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        thread.interrupt();
        thread.join(5_000);
        assertThat(ended.getCount()).isZero();
    }

    private static final class Failing implements BackupStore {
        private int left;
        private Reason reason;
        private IOException content;

        private void fail(int times, Reason why) {
            left = times;
            reason = why;
        }

        private void request() throws IOException {
            if (content != null) {
                throw content;
            }
            if (left-- > 0) {
                throw new StoreException(reason, reason.name(), null);
            }
        }

        @Override
        public void put(String key, Content content) throws IOException {
            request();
        }

        @Override
        public int get(String key, long offset, byte[] into) throws IOException {
            request();
            return 7;
        }

        @Override
        public Optional<ObjectInfo> stat(String key) throws IOException {
            request();
            return Optional.empty();
        }

        @Override
        public List<ObjectInfo> list(String prefix, String after, int limit) throws IOException {
            request();
            return List.of();
        }

        @Override
        public void delete(Collection<String> keys) throws IOException {
            request();
        }

        @Override
        public void close() {}
    }

    /** Turned by the pauses alone. */
    private final class PausedClock extends Clock {
        @Override
        public Instant instant() {
            return pauses.stream().reduce(START, Instant::plus, (a, b) -> b);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
