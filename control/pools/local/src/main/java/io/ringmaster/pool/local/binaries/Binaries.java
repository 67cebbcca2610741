package io.ringmaster.pool.local.binaries;

import io.ringmaster.host.FileTree;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cassandra's jars by version, in {@code <cache>/cassandra/<version>/lib}. They are fetched once for all servers of
 * this computer; a fetch that a crash interrupted is repeated.
 */
public final class Binaries {
    private static final Pattern VERSION = Pattern.compile("[0-9][A-Za-z0-9.-]{0,40}");

    private final Path cache;
    private final JarSource source;

    /** @param given a directory or tarball of Cassandra, or null to fetch the jars through Maven */
    public Binaries(Path cache, @Nullable Path given) {
        this.cache = real(cache);
        source = given == null ? new MavenJars() : new GivenJars(given.toAbsolutePath());
    }

    /**
     * Without links, also while it does not exist yet: the JVM refuses a class data archive whose jars have another
     * path, so a link and what it leads to must give one path.
     */
    private static Path real(Path cache) {
        Path wanted = cache.toAbsolutePath();
        Path there = wanted;
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there.toRealPath().resolve(there.relativize(wanted));
        } catch (IOException e) {
            // it cannot be read, which its first use reports
            return wanted;
        }
    }

    /** The cache directory of a version. */
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
     * The directory of a version's jars; all of them belong on the class path. Fetches them if they are missing,
     * which takes minutes.
     *
     * @param progress receives each stage, for people
     */
    public Path jars(String cassandraVersion, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException {
        Path directory = directory(cassandraVersion);
        Path lib = directory.resolve("lib");
        if (Checksums.hold(lib)) {
            return lib;
        }
        progress.accept("waits for the jars of Cassandra " + cassandraVersion);
        try {
            CacheLock.holding(directory.resolve("lib.lock"), () -> {
                if (!Checksums.hold(lib)) {
                    fetch(cassandraVersion, directory, progress);
                }
            });
            return lib;
        } catch (IOException e) {
            throw new BinariesUnavailableException(
                    "Cassandra " + cassandraVersion + " cannot be kept in " + directory + ": " + ThrowableText.of(e),
                    e);
        }
    }

    private void fetch(String version, Path directory, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException, IOException {
        Path workspace = emptied(directory.resolve("workspace"));
        List<Path> jars = source.fetch(version, workspace, progress);
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
            // another file system, or links are forbidden
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static Path emptied(Path directory) throws IOException {
        FileTree.delete(directory);
        return Files.createDirectories(directory);
    }
}
