package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochFenceTest {
    @TempDir
    Path directory;

    private final List<String> reports = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;
    private Path file;

    @BeforeEach
    void file() throws IOException {
        file = directory.resolve("epoch");
        Files.writeString(file, "50");
    }

    private EpochFence fence() throws IOException {
        return new EpochFence(directory, reports::add, () -> now);
    }

    @Test
    void a_store_that_was_set_back_is_reported_at_most_each_ten_seconds() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.takes(3, "launch")).isFalse();
        assertThat(fence.takes(3, "launch")).isFalse();
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("the store was set back", "the leader is 3", "holds 50", file.toString(), "delete");
        now += Duration.ofSeconds(10).toNanos();
        assertThat(fence.takes(3, "launch")).isFalse();
        assertThat(reports).hasSize(2);
    }

    @Test
    void a_former_leader_beside_the_present_one_is_not_a_store_that_was_set_back() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.takes(50, "launch")).isTrue();
        assertThat(fence.takes(49, "launch")).isFalse();
        assertThat(fence.takes(51, "launch")).isTrue();
        assertThat(fence.takes(50, "launch")).isFalse();
        assertThat(reports).isEmpty();
    }

    @Test
    void deleting_the_file_lets_the_leader_through_at_once() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.takes(3, "launch")).isFalse();
        Files.delete(file);
        assertThat(fence.takes(3, "launch")).isTrue();
        fence.store(3);
        assertThat(file).hasContent("3");
        assertThat(fence.takes(2, "launch")).isFalse();
        assertThat(reports).hasSize(1);
    }

    @Test
    void a_deleted_file_lets_no_former_leader_through_once_the_present_one_was_heard() throws IOException {
        EpochFence fence = fence();
        assertThat(fence.takes(51, "launch")).isTrue();
        Files.delete(file);
        assertThat(fence.takes(50, "launch")).isFalse();
        fence.store(51);
        assertThat(file).hasContent("51");
    }
}
