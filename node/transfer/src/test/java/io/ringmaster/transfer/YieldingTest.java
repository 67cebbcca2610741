package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YieldingTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PIECE = TimeUnit.MILLISECONDS.toNanos(10);

    private final AtomicLong throttled = new AtomicLong(7);
    private final AtomicLong used = new AtomicLong();
    private long now;

    @Test
    void without_a_limit_of_the_node_there_are_no_pauses() {
        var yielding = new Yielding(0, throttled::get, used::get, 0);
        used.addAndGet(SECOND);
        assertThat(yielding.pause(SECOND)).isZero();
        assertThat(Yielding.never().pause(SECOND)).isZero();
    }

    @Test
    void half_of_the_time_of_the_node_is_taken_at_most() {
        Yielding yielding = yielding(1);
        assertThat(work(yielding, 100)).isBetween(49L, 51L);
        assertThat(work(yielding(4), 100)).isEqualTo(100);
    }

    @Test
    void a_wait_for_the_store_gives_no_right_to_a_burst() {
        Yielding yielding = yielding(1);
        now += 60 * SECOND;
        used.addAndGet(SECOND / 4);
        now += SECOND / 4;
        assertThat(yielding.pause(now)).isBetween(SECOND / 10, SECOND / 2);
    }

    @Test
    void the_share_halves_in_each_second_in_which_the_node_was_stopped_and_grows_by_a_hundredth_in_each_other() {
        Yielding yielding = yielding(1);
        throttled.incrementAndGet();
        yielding.pause(now += SECOND);
        assertThat(yielding.share()).isEqualTo(Yielding.MOST / 2);
        throttled.addAndGet(9);
        yielding.pause(now += SECOND);
        assertThat(yielding.share()).isEqualTo(Yielding.MOST / 4);
        work(yielding, 10);
        assertThat(yielding.share()).isBetween(Yielding.MOST / 4 + 0.08, Yielding.MOST / 4 + 0.12);
        work(yielding, 100);
        assertThat(yielding.share()).isEqualTo(Yielding.MOST);
    }

    @Test
    void it_never_stops() {
        Yielding yielding = yielding(1);
        for (int i = 0; i < 50; i++) {
            throttled.incrementAndGet();
            yielding.pause(now += SECOND);
        }
        assertThat(yielding.share()).isEqualTo(Yielding.LEAST);
    }

    @Test
    void beside_a_node_that_needs_most_of_its_time_it_finds_what_is_left() {
        Yielding yielding = yielding(1);
        double left = 0.2;
        long before = throttled.get();
        double taken = 0;
        for (int second = 0; second < 300; second++) {
            if (yielding.share() > left) {
                throttled.incrementAndGet();
            }
            yielding.pause(now += SECOND);
            taken += yielding.share() / 300;
        }
        assertThat(taken).isBetween(left / 2, left);
        assertThat(throttled.get() - before)
                .as("seconds of 300 in which the node was stopped")
                .isLessThan(35);
    }

    @Test
    void the_processor_time_of_a_process_is_read_behind_its_name() {
        String stat = "77 (a (b) c) S 1 77 77 0 -1 4194304 100 0 0 0 12 34 5 6 20 0 9 0 99";
        assertThat(ProcessorTime.of(stat)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(460));
        assertThat(ProcessorTime.ofThisProcess()).isPositive();
    }

    @Test
    void the_kernel_counts_in_the_cgroup_of_either_version(@TempDir Path directory) throws Exception {
        Path own = directory.resolve("cgroup");
        Files.writeString(own, "9:name=systemd:/\n1:cpu,cpuacct:/node\n0::/\n");
        write(directory.resolve("v1/cpu/node/cpu.stat"), "nr_periods 9\nnr_throttled 4\nthrottled_time 8\n");
        write(directory.resolve("v1/cpu/node/cpu.cfs_quota_us"), "50000\n");
        write(directory.resolve("v1/cpu/node/cpu.cfs_period_us"), "100000\n");
        assertThat(Throttling.of(own, directory.resolve("v1")).periods()).isEqualTo(4);
        assertThat(Throttling.of(own, directory.resolve("v1")).processors()).isEqualTo(0.5);

        Files.writeString(own, "0::/pod/node\n");
        write(directory.resolve("v2/cpu.stat"), "usage_usec 9\nnr_periods 9\nnr_throttled 5\nthrottled_usec 8\n");
        write(directory.resolve("v2/cpu.max"), "250000 100000\n");
        assertThat(Throttling.of(own, directory.resolve("v2")).periods()).isEqualTo(5);
        assertThat(Throttling.of(own, directory.resolve("v2")).processors()).isEqualTo(2.5);
        write(directory.resolve("v2/cpu.max"), "max 100000\n");
        assertThat(Throttling.of(own, directory.resolve("v2")).processors()).isZero();

        assertThat(Throttling.of(own, directory.resolve("none")).periods()).isZero();
        assertThat(Throttling.of(directory.resolve("missing"), directory).periods())
                .isZero();
    }

    private Yielding yielding(double processors) {
        now = 0;
        return new Yielding(processors, throttled::get, used::get, now);
    }

    /** Works for some seconds in pieces of 10 ms, with the pauses; returns the percentage of time that it used. */
    private long work(Yielding yielding, int seconds) {
        long start = now;
        long before = used.get();
        while (now < start + seconds * SECOND) {
            now += PIECE;
            used.addAndGet(PIECE);
            now += yielding.pause(now);
        }
        return Math.round(100.0 * (used.get() - before) / (now - start));
    }

    private static void write(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
