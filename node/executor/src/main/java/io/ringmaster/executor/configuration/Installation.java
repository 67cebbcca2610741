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
 * The programs that a node is made of.
 *
 * @param java the binary
 * @param jars the directory of Cassandra's jars
 * @param archive a class data archive made from the same JVM, jars and companion, or null
 * @param engine the directory of the RocksDB engine's jars, or null if this computer has none
 */
public record Installation(Path java, Path jars, Path companion, @Nullable Path archive, @Nullable Path engine) {
    /** What {@code class_name} of a memtable configuration is for tables that lie in RocksDB. */
    private static final String ENGINE_CLASS = "io.ringmaster.engine.RocksDB";

    /**
     * The class path: jars only, sorted, the companion last. Archive and daemon must agree on it to the letter, and a directory on it
     * would make the JVM ignore the archive. The engine's jars come after it: what a class path goes on with does no harm.
     */
    public String classPath(NodeTarget target) {
        Stream<Path> engines = engine != null && needsEngine(target) ? sorted(engine).stream() : Stream.empty();
        return Stream.concat(Stream.concat(sortedJars().stream(), Stream.of(companion)), engines)
                .map(Path::toString)
                .collect(Collectors.joining(":"));
    }

    /** Whether its cassandra.yaml names the RocksDB engine. */
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
            throw new UncheckedIOException("cannot list the jars in " + directory, e);
        }
    }
}
