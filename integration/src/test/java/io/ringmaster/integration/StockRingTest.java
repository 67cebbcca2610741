package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.lab.ring.CapLimits;
import io.ringmaster.lab.ring.GcLog;
import io.ringmaster.lab.ring.Node;
import io.ringmaster.lab.ring.RingSpec;
import io.ringmaster.lab.ring.StockRing;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab's ring of stock Cassandra: its nodes start together, and nothing of them is left. */
@RealNodes(
        preset = Preset.DEVELOPMENT,
        tls = false,
        roles = false,
        why = "a ring of the lab with Cassandra's own files")
@Tag("cassandra")
@Timeout(300)
class StockRingTest {
    private static final CapLimits LIMITS = new CapLimits(2, Duration.ofMillis(100), 2L << 30);

    @TempDir
    Path directory;

    @Test
    void nodes_are_stalled_limited_killed_and_leave_nothing() throws Exception {
        Path folder = directory.resolve("ring");
        boolean limited = canLimit();
        RingSpec spec = limited ? RingSpec.of(3, 1).caps(LIMITS) : RingSpec.of(3, 1);
        Set<Long> pids = new TreeSet<>();
        try (StockRing ring = StockRing.start(folder, jars(), spec)) {
            for (Node node : ring.nodes()) {
                pids.add(node.pid());
                assertThat(node.cpuSeconds()).isPositive();
                assertThat(node.residentBytes()).isGreaterThan(512L << 20);
            }
            assertThat(GcLog.read(ring.node(1).gcLog()).stops()).isNotEmpty();
            assertThat(ring.node(2).stallFor(Duration.ofMillis(200))).isGreaterThanOrEqualTo(0.2);
            if (limited) {
                var caps = ring.node(3).caps().orElseThrow();
                caps.set(new CapLimits(0.1, Duration.ofMillis(10), 2L << 30));
                assertThat(cgroups()).hasSize(3);
            }
            ring.node(3).kill();
            ring.node(2).stall(); // also a stalled node is ended
        }
        assertThat(pids).hasSize(3).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        assertThat(folder).doesNotExist();
        assertThat(cgroups()).isEmpty();
    }

    private static Path jars() throws IOException {
        try (Stream<Path> versions = Files.list(Playground.HOME.resolve("cache/cassandra"))) {
            return versions.map(version -> version.resolve("lib")).findFirst().orElseThrow();
        }
    }

    private static boolean canLimit() throws IOException {
        CgroupMounts mounts = CgroupMounts.ofThisProcess();
        return "root".equals(System.getProperty("user.name")) && Files.isWritable(mounts.parent("cpu"));
    }

    /** The groups of this process's rings. */
    private static List<String> cgroups() throws IOException {
        String prefix = "ringmaster-lab-" + ProcessHandle.current().pid() + "-";
        if (!canLimit()) {
            return List.of();
        }
        try (Stream<Path> groups = Files.list(CgroupMounts.ofThisProcess().parent("cpu"))) {
            return groups.map(group -> group.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .toList();
        }
    }
}
