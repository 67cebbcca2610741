package io.ringmaster.playground.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.screen.Golden;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.doctor.Result.Status;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksTest {
    private final PlainHost host = new PlainHost();

    private Result look(String what) {
        return Checks.run(host, Demand.DEFAULT).stream()
                .filter(r -> r.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_good_computer_passes_every_check() {
        assertThat(Checks.run(host, Demand.DEFAULT))
                .hasSize(Checks.ALL.size())
                .allSatisfy(r -> assertThat(r.status()).as(r.what()).isEqualTo(Status.OK))
                .allSatisfy(r -> assertThat(r.advice()).isNull());
    }

    @Test
    void another_java_fails_with_the_install_command() {
        host.version = "21.0.2";
        assertThat(look("java").status()).isEqualTo(Status.FAIL);
        assertThat(look("java").advice()).contains("openjdk-17");
    }

    @Test
    void used_memory_warns_and_missing_memory_fails() {
        host.available = 1L << 30;
        assertThat(look("memory").status()).isEqualTo(Status.WARN);
        host.memory = 2L << 30;
        assertThat(look("memory").status()).isEqualTo(Status.FAIL);
        assertThat(look("memory").advice()).contains("--heap");
    }

    @Test
    void a_smaller_playground_needs_less() {
        host.available = 1L << 30;
        var small = new Demand(1, 1, 128L << 20);
        assertThat(new MemoryCheck().look(host, small).status()).isEqualTo(Status.OK);
    }

    @Test
    void the_production_preset_needs_more_memory() {
        host.available = Demand.DEFAULT.memoryBytes();
        var production = new Demand(2, 3, 256L << 20, 0, Preset.PRODUCTION);
        assertThat(new MemoryCheck().look(host, Demand.DEFAULT).status()).isEqualTo(Status.OK);
        assertThat(new MemoryCheck().look(host, production).status()).isEqualTo(Status.WARN);
    }

    @Test
    void a_full_or_read_only_disk_fails() {
        host.disk = 1 << 20;
        assertThat(look("disk").status()).isEqualTo(Status.FAIL);
        host.disk = 100L << 30;
        host.writable = false;
        assertThat(look("disk").found()).contains("cannot be written");
    }

    @Test
    void an_unusable_address_is_named() {
        host.taken.add("127.1.2.3:0");
        assertThat(look("addresses").status()).isEqualTo(Status.FAIL);
        assertThat(look("addresses").found()).startsWith("127.1.2.3 ");
    }

    @Test
    void taken_ports_of_servers_are_no_obstacle_and_those_of_nodes_only_warn() {
        host.taken.add("127.0.0.1:8081");
        assertThat(look("ports").status()).isEqualTo(Status.OK);
        assertThat(look("ports").found()).contains("8081 are taken, servers get the next");
        host.taken.add("127.1.1.1:9042");
        assertThat(look("ports").status()).isEqualTo(Status.WARN);
        assertThat(look("ports").found()).contains("127.1.1.1:9042");
    }

    @Test
    void beside_another_playground_the_next_block_is_named_and_nothing_warns() {
        host.taken.add("127.1.1.1:9042");
        host.taken.add("127.0.0.1:8080");
        host.block = new LoopbackBlock(2, false);
        assertThat(look("addresses").found()).startsWith("127.2.1.1 to 127.2.2.3 can be listened on; other programs");
        assertThat(look("ports").status()).isEqualTo(Status.OK);
        host.blockIsKept = true;
        assertThat(look("addresses").found()).endsWith("; they are the addresses of the kept data");
        host.blockIsFree = false;
        assertThat(look("addresses").status()).isEqualTo(Status.WARN);
        assertThat(look("addresses").advice()).contains("src 127.2.0.0/16", "kept data there resume when");
        host.blockIsFree = true;
        host.block = new LoopbackBlock(2, true);
        assertThat(look("addresses").found()).startsWith("127.81.1.1 to 127.82.3.1 ");
    }

    @Test
    void low_limits_come_with_the_command_that_raises_them() {
        host.limits.put("Max open files", 1_024L);
        assertThat(look("limits").status()).isEqualTo(Status.WARN);
        assertThat(look("limits").advice()).isEqualTo("ulimit -n 4096");
    }

    @Test
    void few_maps_warn_only_below_the_kernel_default() {
        host.maps = 65_530;
        assertThat(look("maps").status()).isEqualTo(Status.OK);
        host.maps = 1_000;
        assertThat(look("maps").advice()).contains("sysctl");
    }

    @Test
    void missing_cgroups_only_warn() {
        host.cgroups = new Host.Cgroups(2, true, false, "not delegated");
        assertThat(look("cgroups").status()).isEqualTo(Status.WARN);
        assertThat(look("cgroups").found()).startsWith("memory cannot be limited");
    }

    @Test
    void no_maven_fails() {
        host.mvn = null;
        assertThat(look("maven").status()).isEqualTo(Status.FAIL);
    }

    @Test
    void without_a_recent_node_the_page_is_not_built() {
        for (String version : new String[] {null, "v18.19.1", "v20.18.3", "v21.7.3", "v22.11.0"}) {
            host.node = version;
            assertThat(look("node.js").status()).as(version).isEqualTo(Status.WARN);
        }
        for (String version : new String[] {"v20.19.0", "v22.12.0", "v24.1.0"}) {
            host.node = version;
            assertThat(look("node.js").status()).as(version).isEqualTo(Status.OK);
        }
        host.absent.add("npm");
        assertThat(look("node.js").found()).startsWith("npm is not on the PATH");
    }

    @Test
    void a_clock_before_the_project_fails_and_an_unsynchronized_one_warns() {
        host.synchronizedClock = false;
        assertThat(look("clock").status()).isEqualTo(Status.WARN);
        host.now = Instant.EPOCH;
        assertThat(look("clock").status()).isEqualTo(Status.FAIL);
    }

    @Test
    void advice_stands_below_each_failed_check() {
        host.available = 1L << 30;
        host.mvn = null;
        Golden.assertSame("doctor", DoctorScreen.results(Checks.run(host, Demand.DEFAULT), 100));
    }

    @Test
    void version_1_groups_are_those_of_this_process(@TempDir Path mount) throws Exception {
        Files.createDirectories(mount.resolve("cpu/own"));
        Files.createDirectories(mount.resolve("memory/own"));
        var found = CgroupReader.read(mount, List.of("2:memory:/own", "1:cpu:/own", "0::/"));
        assertThat(found.version()).isEqualTo(1);
        assertThat(found.cpu() && found.memory()).isTrue();
    }

    @Test
    void version_2_offers_only_delegated_controllers(@TempDir Path mount) throws Exception {
        Path own = Files.createDirectories(mount.resolve("user.slice"));
        Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids\n");
        Files.writeString(own.resolve("cgroup.controllers"), "memory pids\n");
        Files.writeString(own.resolve("cgroup.procs"), "");
        var found = CgroupReader.read(mount, List.of("0::/user.slice"));
        assertThat(found)
                .extracting(Host.Cgroups::version, Host.Cgroups::cpu, Host.Cgroups::memory)
                .containsExactly(2, false, true);
    }

    @Test
    void without_groups_nothing_can_be_limited(@TempDir Path mount) {
        assertThat(CgroupReader.read(mount, List.of()).version()).isZero();
    }

    @Test
    void this_computer_can_be_read() {
        var here = new LinuxHost(Path.of("/nonexistent/home"), System.getenv());
        assertThat(here.memoryBytes()).isGreaterThan(here.availableMemoryBytes());
        assertThat(here.limit("Max open files")).isPresent();
        assertThat(here.canListen("127.0.0.1", 0)).isTrue();
        assertThat(here.canListen("203.0.113.1", 0)).isFalse();
    }
}
