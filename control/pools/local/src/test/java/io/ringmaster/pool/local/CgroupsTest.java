package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that are written; the real hierarchies of this computer are tested through the pool. */
class CgroupsTest {
    private static final AllocationId ID = new AllocationId("a-1");

    @TempDir
    Path root;

    private Path v2(String path, String controllers, String delegated) throws IOException {
        Path directory = Files.createDirectories(root.resolve(path));
        Files.writeString(directory.resolve("cgroup.controllers"), controllers + "\n");
        Files.writeString(directory.resolve("cgroup.subtree_control"), delegated + "\n");
        return directory;
    }

    private Cgroups unified(Path own) {
        return new Cgroups(
                new CgroupMounts(Map.of(), Optional.of(new CgroupMounts.Unified(root, own))), "ringmaster-t-");
    }

    @Test
    void version_1_has_a_directory_per_controller() throws IOException {
        Map<String, Path> own = Map.of(
                "cpu", Files.createDirectories(root.resolve("cpu")),
                "memory", Files.createDirectories(root.resolve("memory/mine")),
                "pids", Files.createDirectories(root.resolve("pids")));
        Cgroups.Limits limits = new Cgroups(new CgroupMounts(own, Optional.empty()), "ringmaster-t-")
                .limit(ID, SampleRecords.RESOURCES);
        assertThat(limits.warning()).isNull();
        assertThat(limits.directories()).hasSize(3);
        assertThat(root.resolve("cpu/ringmaster-t-a-1/cpu.cfs_quota_us")).hasContent("50000");
        assertThat(root.resolve("cpu/ringmaster-t-a-1/cpu.cfs_period_us")).hasContent("100000");
        assertThat(root.resolve("memory/mine/ringmaster-t-a-1/memory.limit_in_bytes"))
                .hasContent("805306368");
        assertThat(root.resolve("pids/ringmaster-t-a-1/pids.max")).hasContent("4096");
    }

    @Test
    void version_2_has_one_directory_below_the_nearest_ancestor_that_delegates_the_controllers() throws IOException {
        v2("", "cpu memory pids", "cpu memory pids");
        v2("user", "cpu memory pids", "cpu memory pids");
        Path own = v2("user/session", "cpu memory pids", "");
        // a plain file system delegates nothing, like a cgroup that contains processes
        assertThat(own.resolve("cgroup.subtree_control").toFile().setReadOnly()).isTrue();
        Files.delete(own.resolve("cgroup.controllers"));
        Cgroups.Limits limits = unified(own).limit(ID, SampleRecords.RESOURCES);
        Path made = root.resolve("user/ringmaster-t-a-1");
        assertThat(limits.warning()).isNull();
        assertThat(limits.directories()).containsExactly(made);
        assertThat(made.resolve("cpu.max")).hasContent("50000 100000");
        assertThat(made.resolve("memory.max")).hasContent("805306368");
        assertThat(made.resolve("pids.max")).hasContent("4096");
    }

    @Test
    void a_hierarchy_mounted_at_the_root_is_searched_to_its_end() {
        Path top = root.getRoot();
        Cgroups.Limits limits = new Cgroups(
                        new CgroupMounts(Map.of(), Optional.of(new CgroupMounts.Unified(top, root))), "ringmaster-t-")
                .limit(ID, SampleRecords.RESOURCES);
        assertThat(limits.directories()).isEmpty();
        assertThat(limits.warning()).contains("not delegated to this user below " + top);
    }

    @Test
    void what_is_not_delegated_is_warned_about_and_the_rest_is_limited() throws IOException {
        v2("", "cpu memory pids", "memory pids");
        Files.delete(root.resolve("cgroup.controllers"));
        Files.writeString(root.resolve("cgroup.controllers"), "memory pids\n");
        Cgroups.Limits limits = unified(root).limit(ID, SampleRecords.RESOURCES);
        assertThat(limits.warning()).contains("cpu").doesNotContain("memory (", "pids (");
        assertThat(limits.directories()).containsExactly(root.resolve("ringmaster-t-a-1"));
    }

    @Test
    void without_any_hierarchy_every_limit_is_in_the_warning() {
        Cgroups none = new Cgroups(new CgroupMounts(Map.of(), Optional.empty()), "ringmaster-t-");
        Cgroups.Limits limits = none.limit(ID, SampleRecords.RESOURCES);
        assertThat(limits.warning()).contains("limits not in force: cpu, memory, pids");
        assertThat(limits.directories()).isEmpty();
    }

    @Test
    void only_leftovers_of_this_pool_are_removed() throws IOException {
        Path leftover = Files.createDirectories(root.resolve("ringmaster-t-old"));
        Path kept = Files.createDirectories(root.resolve("ringmaster-t-kept"));
        Path other = Files.createDirectories(root.resolve("ringmaster-u-old"));
        unified(root).removeLeftovers(Set.of("kept"));
        assertThat(leftover).doesNotExist();
        assertThat(kept).exists();
        assertThat(other).exists();
    }

    @Test
    void on_a_hybrid_system_each_controller_has_the_directory_of_this_process() {
        CgroupMounts mounts = CgroupMounts.parse(
                List.of(
                        "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755",
                        "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct",
                        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory",
                        "36 31 0:33 /docker/7 /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids",
                        "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw"),
                List.of("4:memory:/api/7c9d", "8:pids:/docker/7/x", "1:cpu,cpuacct:/", "0::/"));
        assertThat(mounts.v1())
                .containsEntry("cpu", Path.of("/sys/fs/cgroup/cpu"))
                .containsEntry("memory", Path.of("/sys/fs/cgroup/memory/api/7c9d"))
                .containsEntry("pids", Path.of("/sys/fs/cgroup/pids/x"));
        assertThat(mounts.v2())
                .hasValueSatisfying(v2 -> assertThat(v2.own()).isEqualTo(Path.of("/sys/fs/cgroup/unified")));
    }
}
