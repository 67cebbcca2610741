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
    private static final Map<String, Set<String>> CALLERS = Map.of(
            "\\.getTopology\\(", Set.of("AuthReplication"), // of a copy
            "\\.getTokens\\(", Set.of("SnapshotFile"), // of a copy, for its members
            "Keyspace\\.open\\(", Set.of(),
            "\\.getKeyspaceInstance\\(", Set.of("Keyspaces"),
            "\\.getTokenMetadata\\(", Set.of("AuthReplication", "Ring", "SeenRoles", "SnapshotFile", "StreamTask"),
            "\\.(getPrimaryRanges|getPrimaryRangesWithinDC|getLocalReplicas)\\(", Set.of("LocalRanges"),
            "\\.takeSnapshot\\(", Set.of("CleanupSnapshot", "SnapshotTask"),
            "\\.(forceKeyspace\\w+|garbageCollect|upgradeSSTables)\\(", Set.of("TableTask"),
            "\\.repairAsync\\(", Set.of("CassandraRepair"),
            "\\.rebuild\\(", Set.of("StreamTask"),
            "\\.getMessage\\(\\)", Set.of("CassandraRepair", "MBeanCall", "ThrowableText")); // of notifications

    @Test
    void only_these_classes_make_calls_that_demand_something() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            String name = file.getFileName().toString().replace(".java", "");
            CALLERS.keySet().stream()
                    .filter(call -> Pattern.compile(call).matcher(text).find())
                    .forEach(call -> found.computeIfAbsent(call, c -> new TreeSet<>())
                            .add(name));
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
            return files.filter(f -> f.toString().endsWith(".java")
                            && !f.endsWith("package-info.java"))
                    .toList();
        }
    }

    @Test
    void tests_check_assertions_as_production_does() {
        assertThat(TokenMetadata.class.desiredAssertionStatus()).isTrue();
    }
}
