package io.ringmaster.pool.local.binaries;

import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cassandra's jars by version, in {@code <cache>/cassandra/<version>/lib}. Brought once for all servers of this computer; whatever a
 * crash leaves half done is done again.
 */
public final class Binaries {
    private static final Pattern VERSION = Pattern.compile("[0-9][A-Za-z0-9.-]{0,40}");

    private final Path cache;
    private final JarSource source;

    /** @param given a directory or tarball to take them from, or null for Maven */
    public Binaries(Path cache, @Nullable Path given) {
        this.cache = cache.toAbsolutePath();
        source = given == null ? new MavenJars() : new GivenJars(given.toAbsolutePath());
    }

    /** Where everything of that version is kept. */
    public Path directory(String cassandraVersion) throws BinariesUnavailableException {
        if (!VERSION.matcher(cassandraVersion).matches() || cassandraVersion.contains("..")) {
            throw new BinariesUnavailableException(
                    "cassandra_version '" + cassandraVersion + "' must be a released version, such as 5.0.9");
        }
        return cache.resolve("cassandra").resolve(cassandraVersion);
    }

    public boolean present(String cassandraVersion) throws BinariesUnavailableException {
        return Checksums.hold(directory(cassandraVersion).resolve("lib"));
    }

    /**
     * The directory of its jars, all of them to be on the class path. Brings them when they are not there, which may take minutes.
     *
     * @param progress told what is being done, in words for people
     */
    public Path jars(String cassandraVersion, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException {
        Path directory = directory(cassandraVersion);
        Path lib = directory.resolve("lib");
        if (Checksums.hold(lib)) {
            return lib;
        }
        progress.accept("waits for Cassandra " + cassandraVersion + " to be brought");
        try {
            CacheLock.holding(directory.resolve("lib.lock"), () -> {
                if (!Checksums.hold(lib)) {
                    bring(cassandraVersion, directory, progress);
                }
            });
            return lib;
        } catch (IOException e) {
            throw new BinariesUnavailableException(
                    "Cassandra " + cassandraVersion + " cannot be kept in " + directory + ": " + e.getMessage(), e);
        }
    }

    private void bring(String version, Path directory, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException, IOException {
        Path workspace = emptied(directory.resolve("workspace"));
        List<Path> jars = source.bring(version, workspace, progress);
        Path unfinished = emptied(directory.resolve("lib.new"));
        for (Path jar : jars) {
            linkOrCopy(jar, unfinished.resolve(jar.getFileName()));
        }
        progress.accept("checks " + jars.size() + " jars");
        Checksums.write(unfinished);
        FileTree.delete(directory.resolve("lib"));
        Files.move(unfinished, directory.resolve("lib"), StandardCopyOption.ATOMIC_MOVE);
        FileTree.delete(workspace);
    }

    private static void linkOrCopy(Path from, Path to) throws IOException {
        try {
            Files.createLink(to, from.toRealPath());
        } catch (IOException | UnsupportedOperationException e) {
            // Another file system, or links are forbidden.
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static Path emptied(Path directory) throws IOException {
        FileTree.delete(directory);
        return Files.createDirectories(directory);
    }
}
