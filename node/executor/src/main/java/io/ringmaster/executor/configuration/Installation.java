package io.ringmaster.executor.configuration;

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
 */
public record Installation(Path java, Path jars, Path companion, @Nullable Path archive) {

    /**
     * The class path: jars only, sorted, the companion last. Archive and daemon must agree on it to the letter, and a directory on it
     * would make the JVM ignore the archive.
     */
    public String classPath() {
        return Stream.concat(sortedJars().stream(), Stream.of(companion))
                .map(Path::toString)
                .collect(Collectors.joining(":"));
    }

    /** @throws UncheckedIOException the directory cannot be read or holds no jar */
    public List<Path> sortedJars() {
        try (Stream<Path> files = Files.list(jars)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            if (sorted.isEmpty()) {
                throw new IOException("no jars in " + jars);
            }
            return sorted;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list Cassandra's jars in " + jars, e);
        }
    }
}
