package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import io.ringmaster.ports.SampleRecords;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour of the local pool beyond the contract. */
@Timeout(180)
class LocalPoolHereTest extends LocalPoolFixture {
    @TempDir
    Path directory;

    private Set<Long> processes() {
        return new AllocationProcesses(folder()).all();
    }

    @AfterEach
    void endEverything() {
        if (pool != null) {
            pool.close();
            open();
            release();
            pool.close();
        }
    }

    @Test
    void only_this_user_can_read_the_files_of_an_allocation() throws IOException {
        open();
        reserve();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder().path())))
                .isEqualTo("rwx------");
        Path token = folder().path().resolve("token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(token)).matches("[0-9a-f]{64}");
    }

    @Test
    void limits_apply_to_every_process_of_the_allocation_or_are_in_the_warning() throws Exception {
        open();
        reserve();
        String warning = launch(RUNNING).warning();
        StandInExecutor.awaitDaemon(folder());
        List<Path> cgroups = folder().cgroups();
        if (warning != null) {
            assertThat(warning).contains("limits not in force");
        } else {
            assertThat(cgroups).isNotEmpty();
        }
        for (Path cgroup : cgroups) {
            assertThat(Cgroups.processes(List.of(cgroup))).containsAll(processes());
            Path memory = cgroup.resolve("memory.limit_in_bytes");
            if (Files.exists(memory)) {
                assertThat(memory)
                        .hasContent(Long.toString(allocation.resources().memoryBytes()));
            }
            Path cpu = cgroup.resolve("cpu.cfs_quota_us");
            if (Files.exists(cpu)) {
                assertThat(cpu).hasContent("50000");
            }
        }
        release();
        assertThat(processes()).isEmpty();
        assertThat(cgroups).allSatisfy(cgroup -> assertThat(cgroup).doesNotExist());
    }

    @Test
    void a_kill_ends_the_daemon_even_without_its_executor() throws Exception {
        open();
        reserve();
        launch(RUNNING);
        StandInExecutor.awaitDaemon(folder());
        ProcessHandle.of(folder().executor().orElseThrow().pid()).orElseThrow().destroyForcibly();
        await(EXITED);
        assertThat(processes()).isNotEmpty();
        facts.clear();
        pool.kill(new Command.Kill(allocation.id()), 1);
        await(RESERVED);
        assertThat(processes()).isEmpty();
    }

    @Test
    void new_resources_apply_to_running_processes() throws IOException {
        open();
        reserve();
        launch(RUNNING);
        var less = new NodeResources(250, 512L << 20, 128L << 20, 1L << 30);
        Allocation smaller =
                new Allocation(allocation.id(), allocation.node(), allocation.machine(), allocation.ports(), less);
        facts.clear();
        pool.reserve(new Command.Reserve(smaller), 1);
        assertThat(await(RUNNING).allocation()).isEqualTo(smaller);
        for (Path cgroup : folder().cgroups()) {
            Path cpu = cgroup.resolve("cpu.cfs_quota_us");
            if (Files.exists(cpu)) {
                assertThat(cpu).hasContent("25000");
            }
        }
    }

    @Test
    void the_end_of_an_executor_is_reported_with_its_exit_code_and_last_lines() {
        open((start, progress) -> List.of("sh", "-c", "echo the disk is on fire; exit 7"));
        reserve();
        assertThat(launch(EXITED).detail()).contains("exit code 7").contains("the disk is on fire");
    }

    @Test
    void a_launch_and_a_relaunch_give_the_executor_the_generation_of_their_node() {
        List<Long> generations = new CopyOnWriteArrayList<>();
        open((start, progress) -> {
            generations.add(start.generation());
            return List.of("sleep", "600");
        });
        reserve();
        pool.launch(new Command.Launch(allocation, "5.0.9", 7), 1);
        await(RUNNING);
        facts.clear();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 8), 1);
        await(RUNNING);
        assertThat(generations).containsExactly(7L, 8L);
    }

    @Test
    void another_process_with_the_same_pid_is_neither_adopted_nor_killed() throws Exception {
        open();
        reserve();
        pool.close();
        Process innocent = new ProcessBuilder("sleep", "100").start();
        try {
            ProcessIdentity now = ProcessIdentity.of(innocent.pid()).orElseThrow();
            Files.writeString(
                    folder().executorPid(), now.pid() + " " + (now.startTicks() - 1) + " " + now.boot() + "\n");
            facts.clear();
            open();
            Fact.PoolSeen seen = facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
            assertThat(seen.allocations()).extracting(AllocationState::status).containsExactly(EXITED);
            facts.clear();
            pool.kill(new Command.Kill(allocation.id()), 1);
            await(RESERVED);
            assertThat(innocent.isAlive()).isTrue();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    void destroying_a_volume_deletes_links_but_not_what_they_point_to() throws IOException {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "kept");
        open();
        reserve();
        Files.createSymbolicLink(folder().volume().resolve("link"), outside);
        release();
        assertThat(folder().path()).doesNotExist();
        assertThat(outside.resolve("precious")).hasContent("kept");
    }

    @Test
    void a_link_among_the_allocations_is_not_one() throws IOException {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "kept");
        open();
        Files.createSymbolicLink(folder().path(), outside);
        pool.release(new Command.Release(allocation.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        assertThat(outside.resolve("precious")).hasContent("kept");
        Files.delete(folder().path());
    }

    @Test
    void names_that_lead_out_of_the_directory_are_refused() {
        for (String name : List.of("../x", "a/../../x", "/etc", ".", "..", "a b", "")) {
            assertThatThrownBy(() -> new AllocationId(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void two_servers_cannot_use_one_directory() {
        open();
        assertThatThrownBy(() -> new LocalPool(LocalPoolTest.settings(state, StandInExecutor.WITH_DAEMON)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("another server uses");
    }

    @Test
    void a_port_of_another_node_is_refused_with_the_name_of_the_node() {
        open();
        reserve();
        Allocation samePort =
                other("b", new NodePorts(7050, 7150, allocation.ports().nativeTransport(), 9550));
        pool.reserve(new Command.Reserve(samePort), 1);
        assertThat(facts.awaitStatus(samePort.id(), FAILED, LIMIT).problem().message())
                .contains("port 9042")
                .contains("rides/dc1/node-0");
        Allocation elsewhere = other("c", new NodePorts(1, 2, 3, 4));
        pool.reserve(new Command.Reserve(elsewhere), 1);
        assertThat(facts.awaitStatus(elsewhere.id(), FAILED, LIMIT).problem().message())
                .contains("offers no port 1");
    }

    private Allocation other(String id, NodePorts ports) {
        return new Allocation(
                new AllocationId(id),
                new NodeId(SampleRecords.RIDES, SampleRecords.DC1, 7),
                allocation.machine(),
                ports,
                allocation.resources());
    }

    @Test
    void missing_binaries_fail_the_launch_and_a_later_launch_can_succeed() {
        boolean[] there = {false};
        open((start, progress) -> {
            if (!there[0]) {
                throw new BinariesUnavailableException("no Cassandra here; get one");
            }
            return List.of("sleep", "600");
        });
        reserve();
        assertThat(launch(FAILED).problem())
                .isEqualTo(Problem.of(ErrorCode.BINARIES_UNAVAILABLE, "no Cassandra here; get one"));
        there[0] = true;
        launch(RUNNING);
    }

    @Test
    void an_unreadable_allocation_is_left_untouched_and_the_others_are_adopted() throws IOException {
        open();
        reserve();
        pool.close();
        Path broken = Files.createDirectories(state.resolve("allocations").resolve("broken"));
        for (String damage : List.of("{", "{}", "null", "", "{\"allocation\":{}}")) {
            Files.writeString(broken.resolve("allocation.json"), damage);
            facts.clear();
            open();
            Fact.PoolSeen seen = facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
            assertThat(seen.allocations()).as(damage).singleElement().satisfies(s -> assertThat(s.allocation())
                    .isEqualTo(allocation));
            pool.close();
            assertThat(broken.resolve("allocation.json")).hasContent(damage);
        }
    }

    @Test
    void a_kept_volume_keeps_no_key_of_its_node() throws IOException {
        open();
        reserve();
        Path folder = folder().path();
        Files.createDirectories(folder.resolve("tls"));
        Files.writeString(folder.resolve("tls/node.pem"), "key");
        pool.release(new Command.Release(allocation.id(), false), 1);
        facts.awaitStatus(allocation.id(), RELEASED, LIMIT);
        assertThat(folder.resolve("tls")).doesNotExist();
        assertThat(folder.resolve("volume")).exists();
        pool.release(new Command.Release(allocation.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(allocation.id()), LIMIT);
    }

    @Test
    void a_kept_volume_takes_disk_space_but_neither_ports_nor_memory_and_a_restarted_server_counts_it_again() {
        open();
        Allocation large = new Allocation(
                new AllocationId("large"),
                allocation.node(),
                allocation.machine(),
                allocation.ports(),
                new NodeResources(4_000, 4L << 30, 1L << 30, 30L << 30));
        pool.reserve(new Command.Reserve(large), 1);
        facts.awaitStatus(large.id(), RESERVED, LIMIT);
        pool.release(new Command.Release(large.id(), false), 1);
        facts.awaitStatus(large.id(), RELEASED, LIMIT);
        reserve();
        pool.close();
        facts.clear();
        open();
        Allocation another = new Allocation(
                new AllocationId("another"),
                allocation.node(),
                allocation.machine(),
                new NodePorts(7005, 7105, 9047, 9505),
                new NodeResources(500, 1L << 29, 1L << 28, 20L << 30));
        pool.reserve(new Command.Reserve(another), 1);
        assertThat(facts.awaitStatus(another.id(), FAILED, LIMIT).problem().message())
                .contains("machine-1 has not enough disk");
        pool.release(new Command.Release(large.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(large.id()), LIMIT);
        facts.clear();
        pool.reserve(new Command.Reserve(another), 1);
        facts.awaitStatus(another.id(), RESERVED, LIMIT);
        pool.release(new Command.Release(another.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(another.id()), LIMIT);
    }

    @Test
    void executors_of_a_killed_server_keep_running_and_are_adopted() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PoolProcess.class.getName(),
                        state.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = server.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines().anyMatch("RUNNING"::equals)).isTrue();
        } finally {
            server.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
        }
        ProcessIdentity before = folder().executor().orElseThrow();
        open();
        AllocationState adopted =
                facts.await(Fact.PoolSeen.class, f -> true, LIMIT).allocations().get(0);
        assertThat(adopted.status()).isEqualTo(RUNNING);
        assertThat(adopted.detail()).contains("adopted");
        assertThat(before.isAlive()).isTrue();
        ProcessHandle.of(before.pid()).orElseThrow().destroyForcibly();
        await(EXITED);
    }
}
