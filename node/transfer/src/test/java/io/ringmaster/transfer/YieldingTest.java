package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YieldingTest {
    private static final long MIB = 1 << 20;

    private final AtomicLong throttled = new AtomicLong(7);
    private long second;

    @Test
    void without_pressure_there_is_no_limit() {
        Yielding yielding = yielding(0);
        for (int i = 0; i < 20; i++) {
            assertThat(moved(yielding, 100 * MIB)).isZero();
        }
    }

    @Test
    void the_rate_halves_in_each_second_in_which_the_node_was_stopped() {
        Yielding yielding = yielding(0);
        moved(yielding, 100 * MIB);
        throttled.incrementAndGet();
        assertThat(moved(yielding, 50 * MIB)).isEqualTo(50 * MIB);
        throttled.addAndGet(9);
        assertThat(moved(yielding, 25 * MIB)).isEqualTo(25 * MIB);
        assertThat(moved(yielding, 25 * MIB)).isEqualTo(25 * MIB);
    }

    @Test
    void then_it_grows_by_a_tenth_every_five_seconds_up_to_the_bandwidth() {
        Yielding yielding = yielding(110 * MIB);
        assertThat(moved(yielding, 110 * MIB)).isEqualTo(110 * MIB);
        throttled.incrementAndGet();
        assertThat(moved(yielding, 100 * MIB)).isEqualTo(55 * MIB);
        for (int i = 0; i < 4; i++) {
            assertThat(moved(yielding, 55 * MIB)).isEqualTo(55 * MIB);
        }
        assertThat(moved(yielding, 55 * MIB)).isEqualTo(55 * MIB + 55 * MIB / 10);
        for (int i = 0; i < 60; i++) {
            moved(yielding, 55 * MIB);
        }
        assertThat(moved(yielding, 55 * MIB)).isEqualTo(110 * MIB);
    }

    @Test
    void it_never_stops() {
        Yielding yielding = yielding(0);
        for (int i = 0; i < 50; i++) {
            throttled.incrementAndGet();
            moved(yielding, MIB);
        }
        assertThat(moved(yielding, 0)).isEqualTo(Yielding.LEAST);
    }

    @Test
    void a_bandwidth_below_the_least_rate_stays() {
        Yielding yielding = yielding(1000);
        moved(yielding, 1000);
        throttled.incrementAndGet();
        assertThat(moved(yielding, 1000)).isEqualTo(1000);
    }

    @Test
    void the_kernel_counts_in_the_cgroup_of_either_version(@TempDir Path directory) throws Exception {
        Path own = directory.resolve("cgroup");
        Files.writeString(own, "9:name=systemd:/\n1:cpu,cpuacct:/node\n0::/\n");
        write(directory.resolve("v1/cpu/node/cpu.stat"), "nr_periods 9\nnr_throttled 4\nthrottled_time 8\n");
        assertThat(Throttling.of(own, directory.resolve("v1")).periods()).isEqualTo(4);

        Files.writeString(own, "0::/pod/node\n");
        write(directory.resolve("v2/cpu.stat"), "usage_usec 9\nnr_periods 9\nnr_throttled 5\nthrottled_usec 8\n");
        assertThat(Throttling.of(own, directory.resolve("v2")).periods()).isEqualTo(5);

        assertThat(Throttling.of(own, directory.resolve("none")).periods()).isZero();
        assertThat(Throttling.of(directory.resolve("missing"), directory).periods())
                .isZero();
    }

    private Yielding yielding(long most) {
        return new Yielding(most, throttled::get, at());
    }

    /** The rate after one more second, in which these bytes are moved. */
    private long moved(Yielding yielding, long bytes) {
        second++;
        return yielding.rate(at(), bytes);
    }

    private long at() {
        return TimeUnit.SECONDS.toNanos(second);
    }

    private static void write(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
