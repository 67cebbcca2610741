package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.cassandra.locator.TokenMetadata;
import org.junit.jupiter.api.Test;

/** The table of {@code companion.cassandra}: who may make a call that demands something of its caller. */
class InternalCallsTest {
    private static final Map<String, Set<String>> CALLERS = Map.ofEntries(
            Map.entry("\\.getTopology\\(", Set.of("AuthReplication")), // of a copy
            Map.entry("\\.getTokens\\(", Set.of("SnapshotFile")), // of a copy, for its members
            Map.entry("Keyspace\\.open\\(", Set.of()),
            Map.entry("\\.getKeyspaceInstance\\(", Set.of("OpenKeyspaces")),
            Map.entry(
                    "\\.getTokenMetadata\\(",
                    Set.of(
                            "AuthReplication",
                            "DecommissionTask",
                            "RemoveTask",
                            "RingCopy",
                            "SeenRoles",
                            "SnapshotFile")),
            Map.entry("\\.(getPrimaryRanges|getPrimaryRangesWithinDC|getLocalReplicas)\\(", Set.of("LocalRanges")),
            Map.entry("\\.takeSnapshot\\(", Set.of("CleanupSnapshot", "SnapshotTask")),
            Map.entry("\\.(forceKeyspace\\w+|garbageCollect|upgradeSSTables)\\(", Set.of("TableTask")),
            Map.entry("\\.repairAsync\\(", Set.of("CassandraRepair")),
            Map.entry("\\.rebuild\\(", Set.of("RebuildTask")),
            Map.entry("\\.drain\\(", Set.of("Drain")),
            Map.entry("\\.decommission\\(", Set.of("DecommissionTask")),
            Map.entry("\\.removeNode\\(", Set.of("RemoveTask")),
            Map.entry("new Thread\\(", Set.of("CompanionThreads")),
            // times that people read, and that files keep: durations are measured with System.nanoTime
            Map.entry(
                    "(Instant\\.now|currentTimeMillis)\\(",
                    Set.of("CleanupSnapshot", "RepairTask", "RunningTasks", "SnapshotTask")),
            Map.entry(
                    "\\.getMessage\\(\\)", Set.of("CassandraRepair", "MBeanCall", "FailureText"))); // of notifications

    @Test
    void only_these_classes_make_calls_that_demand_something() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            String name = file.getFileName().toString().replace(".java", "");
            CALLERS.keySet().stream()
                    .filter(call -> Pattern.compile(call).matcher(text).find())
                    .forEach(call ->
                            found.computeIfAbsent(call, c -> new TreeSet<>()).add(name));
        }
        Map<String, Set<String>> wanted = new TreeMap<>(CALLERS);
        wanted.values().removeIf(Set::isEmpty);
        assertThat(found)
                .as("a new caller reads the package description of companion.cassandra first")
                .isEqualTo(wanted);
    }

    private static List<Path> sources() throws IOException {
        Path main = Path.of(System.getProperty("basedir", ".")).resolve("src/main/java/io/ringmaster");
        try (Stream<Path> files = Files.walk(main)) {
            return files.filter(f -> f.toString().endsWith(".java") && !f.endsWith("package-info.java"))
                    .toList();
        }
    }

    @Test
    void tests_check_assertions_as_production_does() {
        assertThat(TokenMetadata.class.desiredAssertionStatus()).isTrue();
    }
}
