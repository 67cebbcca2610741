package io.ringmaster.pool.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochFenceTest {
    private final KeptEpoch storage = new KeptEpoch();
    private final List<String> reports = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;

    private static final class KeptEpoch implements EpochStorage {
        long epoch = 50;
        int writes;
        boolean fails;

        @Override
        public long read() {
            return epoch;
        }

        @Override
        public boolean exists() {
            return epoch != 0;
        }

        @Override
        public void write(long newEpoch) throws IOException {
            if (fails) {
                throw new IOException("no room");
            }
            writes++;
            epoch = newEpoch;
        }

        @Override
        public void delete() {
            epoch = 0;
        }

        @Override
        public String place() {
            return "the shelf";
        }

        @Override
        public String removal() {
            return "clear the shelf";
        }
    }

    private EpochFence fence() throws IOException {
        return new EpochFence(storage, reports::add, () -> now);
    }

    @Test
    void a_store_that_was_set_back_is_reported_at_most_each_ten_seconds() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.accepts(3, "launch")).isFalse();
        assertThat(fence.accepts(3, "launch")).isFalse();
        assertThat(reports)
                .containsExactly("the store was set back: the epoch of the leader is 3, but the shelf holds 50 of an"
                        + " earlier one, so that its commands are refused; if no other server of this datacenter runs,"
                        + " clear the shelf to let this leader through");
        now += Duration.ofSeconds(10).toNanos();
        assertThat(fence.accepts(3, "launch")).isFalse();
        assertThat(reports).hasSize(2);
    }

    @Test
    void a_former_leader_beside_the_present_one_is_not_a_store_that_was_set_back() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.accepts(50, "launch")).isTrue();
        assertThat(fence.accepts(49, "launch")).isFalse();
        assertThat(fence.accepts(51, "launch")).isTrue();
        assertThat(fence.accepts(50, "launch")).isFalse();
        assertThat(reports).isEmpty();
    }

    @Test
    void deleting_the_stored_epoch_lets_the_leader_through_at_once() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.accepts(3, "launch")).isFalse();
        storage.delete();
        assertThat(fence.accepts(3, "launch")).isTrue();
        fence.store(3);
        assertThat(storage.epoch).isEqualTo(3);
        assertThat(fence.accepts(2, "launch")).isFalse();
        assertThat(reports).hasSize(1);
    }

    @Test
    void a_deleted_epoch_lets_no_former_leader_through_once_the_present_one_was_heard() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.accepts(51, "launch")).isTrue();
        storage.delete();
        assertThat(fence.accepts(50, "launch")).isFalse();
        fence.store(51);
        assertThat(storage.epoch).isEqualTo(51);
    }

    @Test
    void an_observed_epoch_of_another_server_refuses_lower_ones() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.accepts(51, "launch")).isTrue();
        fence.observe(50);
        assertThat(fence.accepts(51, "launch")).isTrue();
        fence.observe(52);
        assertThat(fence.accepts(51, "launch")).isFalse();
        assertThat(fence.accepts(52, "launch")).isTrue();
        assertThat(reports).isEmpty();
    }

    @Test
    void an_epoch_is_written_once_and_again_after_a_failure() throws IOException {
        EpochFence fence = fence();
        storage.fails = true;
        assertThatThrownBy(() -> fence.store(51)).hasMessage("no room");
        storage.fails = false;
        fence.store(51);
        fence.store(51);
        assertThat(storage.epoch).isEqualTo(51);
        assertThat(storage.writes).isEqualTo(1);
    }

    @Test
    void the_epochs_of_another_store_are_forgotten() throws IOException {
        EpochFence fence = fence();
        fence.forget();
        assertThat(storage.exists()).isFalse();
        assertThat(fence.accepts(1, "launch")).isTrue();
        fence.store(1);
        assertThat(storage.epoch).isEqualTo(1);
    }
}
