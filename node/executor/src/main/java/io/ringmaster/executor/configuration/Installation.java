package io.ringmaster.executor.configuration;

import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a node runs.
 *
 * @param java the Java binary
 * @param jars the directory of Cassandra's jars
 * @param companion the companion's jar
 * @param archive a class data archive made from the same JVM, jars and companion, or null
 * @param engine the directory of the RocksDB engine's jars, or null if it is not installed
 */
public record Installation(Path java, Path jars, Path companion, @Nullable Path archive, @Nullable Path engine) {
    /** The {@code class_name} of a memtable configuration for tables in RocksDB. */
    private static final String ENGINE_CLASS = "io.ringmaster.engine.RocksDB";

    /**
     * The class path: Cassandra's jars in order, then the companion, then the engine's jars. It must be identical to
     * the archive's up to the companion; the JVM accepts further jars after that. With a directory on the class path it
     * ignores the archive.
     */
    public String classPath(NodeTarget target) {
        Stream<Path> engines = engine != null && needsEngine(target) ? sorted(engine).stream() : Stream.empty();
        return Stream.concat(Stream.concat(sortedJars().stream(), Stream.of(companion)), engines)
                .map(Path::toString)
                .collect(Collectors.joining(":"));
    }

    /** Whether the target's cassandra.yaml names the RocksDB engine. */
    public static boolean needsEngine(NodeTarget target) {
        return String.valueOf(target.cassandraYaml().get("memtable")).contains(ENGINE_CLASS);
    }

    /** @throws UncheckedIOException the directory cannot be read or holds no jar */
    public List<Path> sortedJars() {
        return sorted(jars);
    }

    private static List<Path> sorted(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            if (sorted.isEmpty()) {
                throw new IOException("no jars in " + directory);
            }
            return sorted;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot list the jars in " + directory + " (" + e + "): put that directory back, or end this"
                            + " executor, process " + ProcessHandle.current().pid()
                            + ": its server launches another one, with jars that it fetches again",
                    e);
        }
    }
}
