package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.host.CgroupMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapsTest {
    private static final CapLimits QUARTER = new CapLimits(0.25, Duration.ofMillis(10), 1L << 30);
    private static final CapLimits TWO = new CapLimits(2, Duration.ofMillis(100), 2L << 30);

    @TempDir
    Path root;

    private CgroupMounts first() throws IOException {
        return new CgroupMounts(
                Map.of(
                        "cpu", Files.createDirectories(root.resolve("cpu/mine")),
                        "memory", Files.createDirectories(root.resolve("memory"))),
                Optional.empty());
    }

    private CgroupMounts second() throws IOException {
        Files.writeString(root.resolve("cgroup.subtree_control"), "cpu memory\n");
        return new CgroupMounts(Map.of(), Optional.of(new CgroupMounts.Unified(root, root)));
    }

    @Test
    void version_1_has_a_group_for_each_controller() throws IOException {
        Caps caps = Caps.create(first(), "lab-1", QUARTER);
        Path cpu = root.resolve("cpu/mine/lab-1");
        assertThat(cpu.resolve("cpu.cfs_period_us")).hasContent("10000");
        assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("2500");
        assertThat(root.resolve("memory/lab-1/memory.limit_in_bytes")).hasContent("1073741824");
        caps.set(TWO);
        assertThat(cpu.resolve("cpu.cfs_period_us")).hasContent("100000");
        assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("200000");
        assertThat(root.resolve("memory/lab-1/memory.limit_in_bytes")).hasContent("2147483648");
        caps.liftCpu();
        assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("-1");
        assertThat(caps.entering(List.of("java", "-version")))
                .containsExactly(
                        "sh",
                        "-c",
                        "echo $$ >'" + cpu + "/cgroup.procs' && echo $$ >'" + root
                                + "/memory/lab-1/cgroup.procs' && exec \"$@\"",
                        "sh",
                        "java",
                        "-version");
        Files.writeString(cpu.resolve("cpu.stat"), "nr_periods 9\nnr_throttled 3\nthrottled_time 1500000000\n");
        assertThat(caps.throttledSeconds()).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void version_2_has_one_group() throws IOException {
        Caps caps = Caps.create(second(), "lab-1", QUARTER);
        Path group = root.resolve("lab-1");
        assertThat(group.resolve("cpu.max")).hasContent("2500 10000");
        assertThat(group.resolve("memory.max")).hasContent("1073741824");
        caps.set(TWO);
        assertThat(group.resolve("cpu.max")).hasContent("200000 100000");
        caps.liftCpu();
        assertThat(group.resolve("cpu.max")).hasContent("max");
        assertThat(caps.entering(List.of("java")).get(2))
                .isEqualTo("echo $$ >'" + group + "/cgroup.procs' && exec \"$@\"");
        Files.writeString(group.resolve("cpu.stat"), "usage_usec 7\nnr_throttled 3\nthrottled_usec 250000\n");
        assertThat(caps.throttledSeconds()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void without_control_groups_the_reason_is_said() {
        var none = new CgroupMounts(Map.of(), Optional.empty());
        assertThatThrownBy(() -> Caps.create(none, "lab-1", TWO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no cgroup hierarchy");
    }

    @Test
    void limits_that_the_kernel_refuses_are_refused_first() {
        assertThatThrownBy(() -> new CapLimits(0.05, Duration.ofMillis(10), 1))
                .hasMessageContaining("quotas from 1 ms");
        assertThatThrownBy(() -> new CapLimits(1, Duration.ofSeconds(2), 1)).hasMessageContaining("from 1 ms to 1 s");
        assertThatThrownBy(() -> new CapLimits(1, Duration.ofMillis(10), 0)).hasMessageContaining("0 bytes");
    }

    @Test
    void a_real_process_is_throttled_and_its_groups_vanish() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        CgroupMounts mounts = CgroupMounts.ofThisProcess();
        String name = "ringmaster-lab-test-" + ProcessHandle.current().pid();
        assumeTrue(canLimit(mounts), "no control groups to write to");
        try (Caps caps = Caps.create(mounts, name, new CapLimits(0.2, Duration.ofMillis(10), 256L << 20))) {
            assertThat(caps.throttledSeconds()).isZero();
            Process busy = new ProcessBuilder(caps.entering(List.of("sh", "-c", "while :; do :; done"))).start();
            Thread.sleep(400);
            caps.set(new CapLimits(0.5, Duration.ofMillis(100), 128L << 20));
            Thread.sleep(300);
            busy.destroyForcibly().waitFor();
            assertThat(caps.throttledSeconds()).isPositive();
        }
        assertThat(mounts.parent("cpu").resolve(name)).doesNotExist();
        assertThat(mounts.parent("memory").resolve(name)).doesNotExist();
    }

    private static boolean canLimit(CgroupMounts mounts) {
        try {
            return Files.isWritable(mounts.parent("cpu")) && Files.isWritable(mounts.parent("memory"));
        } catch (IOException e) {
            return false;
        }
    }
}
