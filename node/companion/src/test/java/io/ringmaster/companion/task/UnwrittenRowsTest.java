package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class UnwrittenRowsTest {
    private static final Optional<String> HELD = Optional.of("trips.place");

    @Test
    void it_waits_until_no_table_has_rows_that_are_in_no_file() throws InterruptedException {
        Deque<Optional<String>> looks = new ArrayDeque<>(List.of(HELD, HELD, Optional.empty()));
        Progress progress = new Progress();
        assertThat(UnwrittenRows.await(Duration.ofDays(1), progress, looks::removeFirst))
                .isTrue();
        assertThat(looks).isEmpty();
        assertThat(progress.message()).isEqualTo("waits until the rows of trips.place are in files");
    }

    @Test
    void a_snapshot_without_them_is_refused_when_its_time_is_over() {
        assertThatThrownBy(() -> UnwrittenRows.await(Duration.ZERO, new Progress(), () -> HELD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("rows of trips.place are in no file yet: a flush or a migration out of RocksDB is at work"
                        + " -> run the backup again when it has ended");
    }

    @Test
    void a_flush_that_failed_ends_the_wait_at_once() {
        Future<?> failed = CompletableFuture.failedFuture(new IOException("No space left on device"));
        assertThatThrownBy(() -> UnwrittenRows.requireNoFailure(List.of(new CompletableFuture<>(), failed)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a flush failed: java.io.IOException: No space left on device");
    }

    @Test
    void it_ends_with_its_task() throws InterruptedException {
        Progress stopped = new Progress();
        stopped.stop();
        assertThat(UnwrittenRows.await(Duration.ofDays(1), stopped, () -> HELD)).isFalse();
    }
}
