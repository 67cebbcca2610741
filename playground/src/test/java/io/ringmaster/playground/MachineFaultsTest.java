package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.session.Failure;
import io.ringmaster.host.FileTree;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With folders of a server, and processes that look like those of a node. */
@Timeout(60)
class MachineFaultsTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path home;

    private Path allocation;

    @BeforeEach
    void a_datacenter_with_a_node_on_its_second_machine() throws IOException {
        ServerFiles files = new ServerFiles(home, 1);
        files.write(
                Demand.DEFAULT,
                new Network.Loopback(LoopbackBlock.FIRST),
                new ServerAddresses(List.of("127.0.0.1:8080"), false),
                1L << 30,
                Path.of("/dist"));
        allocation = Files.createDirectories(files.directory().resolve("allocations/rides-dc1-node-1"));
        Files.writeString(
                allocation.resolve("allocation.json"),
                "{\"allocation\":{\"machine\":\"machine-2\",\"node\":\"rides/dc1/node-1\"}}");
        Files.createDirectories(allocation.resolve("volume"));
        Files.writeString(allocation.resolve("volume/data"), "rows");
    }

    @AfterEach
    void end_what_was_started() {
        started.forEach(Process::destroyForcibly);
    }

    private MachinePlace place(String name) throws IOException {
        return MachinePlace.of(name, home, 2);
    }

    private Process ringmasterProcess(String main, Path argument) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", "read forever", main, argument.toString()).start();
        started.add(process);
        return process;
    }

    @Test
    void a_name_without_datacenter_means_the_first_datacenter() throws IOException {
        assertThat(place("machine-2")).hasToString("dc1/machine-2");
        for (String wrong : List.of("machine-9", "dc3/machine-1", "dc1/../machine-1", "")) {
            assertThatThrownBy(() -> place(wrong))
                    .isInstanceOf(Failure.class)
                    .extracting(e -> ((Failure) e).nextStep())
                    .asString()
                    .contains("playground kill dc1/machine-2");
        }
    }

    @Test
    void killing_a_machine_ends_its_processes_and_hides_its_volume_until_revive() throws Exception {
        Process executor = ringmasterProcess("io.ringmaster.executor.ExecutorMain", allocation);
        Process daemon = ringmasterProcess("io.ringmaster.companion.Launch", allocation.resolve("volume"));
        Process elsewhere = ringmasterProcess(
                "io.ringmaster.executor.ExecutorMain", allocation.resolveSibling("rides-dc1-node-10"));
        KilledMachine machine = new KilledMachine(place("machine-2"));
        assertThat(machine.kill()).isEqualTo(new KilledMachine.Done(List.of("rides-dc1-node-1"), List.of("rides"), 2));
        assertThat(executor.waitFor(5, TimeUnit.SECONDS) && daemon.waitFor(5, TimeUnit.SECONDS))
                .isTrue();
        assertThat(elsewhere.isAlive()).isTrue();
        assertThat(machine.isKilled()).isTrue();
        assertThat(allocation.resolve("volume")).doesNotExist();
        machine.revive();
        assertThat(machine.isKilled()).isFalse();
        assertThat(allocation.resolve("volume/data")).hasContent("rows");
    }

    @Test
    void a_released_volume_is_not_restored() throws Exception {
        KilledMachine machine = new KilledMachine(place("machine-2"));
        machine.kill();
        FileTree.delete(allocation);
        assertThat(machine.revive().nodes()).isEmpty();
        assertThat(allocation).doesNotExist();
        assertThat(machine.isKilled()).isFalse();
    }

    @Test
    void a_volume_never_replaces_another() throws Exception {
        KilledMachine machine = new KilledMachine(place("machine-2"));
        machine.kill();
        Files.createDirectories(allocation.resolve("volume"));
        assertThatThrownBy(machine::revive).isInstanceOf(Failure.class).hasMessageContaining("holds a volume already");
        assertThat(machine.isKilled()).isTrue();
        assertThat(place("machine-2").killed().resolve("rides-dc1-node-1/data")).hasContent("rows");
    }

    @Test
    void a_slowed_machine_has_little_cpu_until_restored() throws IOException {
        Path old = Files.createDirectories(home.resolve("group/v1"));
        Path unified = Files.createDirectories(home.resolve("group/v2"));
        Files.writeString(old.resolve("cpu.cfs_quota_us"), "100000\n");
        Files.writeString(unified.resolve("cpu.max"), "200000 100000\n");
        Files.writeString(allocation.resolve("cgroups"), old + "\n" + unified);
        SlowedMachine machine = new SlowedMachine(place("machine-2"));
        assertThat(machine.slow(10)).containsExactly("rides-dc1-node-1");
        machine.slow(5);
        assertThat(old.resolve("cpu.cfs_quota_us")).hasContent("5000");
        assertThat(unified.resolve("cpu.max")).hasContent("5000 100000");
        machine.restore();
        assertThat(old.resolve("cpu.cfs_quota_us")).hasContent("100000");
        assertThat(unified.resolve("cpu.max")).hasContent("200000 100000");
        assertThat(machine.isSlowed()).isFalse();
    }

    @Test
    void slowing_a_machine_without_control_groups_fails_with_the_reason() {
        assertThatThrownBy(() -> new SlowedMachine(place("machine-2")).slow(10))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no node on dc1/machine-2 has a control group");
    }
}
