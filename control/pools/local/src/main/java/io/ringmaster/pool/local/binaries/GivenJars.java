package io.ringmaster.pool.local.binaries;

import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The setting {@code binaries}: a directory of jars, an unpacked Cassandra, or its tarball. */
final class GivenJars implements JarSource {
    private static final long UNPACK_LIMIT_S = 300;

    private final Path given;

    GivenJars(Path given) {
        this.given = given;
    }

    @Override
    public List<Path> fetch(String cassandraVersion, Path workspace, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException {
        try {
            Path unpacked = given;
            if (Files.isRegularFile(given)) {
                progress.accept("unpacks " + given);
                unpack(workspace);
                unpacked = workspace;
            }
            List<Path> jars = jars(unpacked);
            boolean there = jars.stream()
                    .map(jar -> jar.getFileName().toString())
                    .anyMatch(name -> name.equals("apache-cassandra-" + cassandraVersion + ".jar")
                            || name.equals("cassandra-all-" + cassandraVersion + ".jar"));
            if (!there) {
                throw new BinariesUnavailableException("binaries: " + given + " holds no Cassandra " + cassandraVersion
                        + " (no apache-cassandra-" + cassandraVersion
                        + ".jar); name that version's, or leave the setting out to use Maven");
            }
            return jars;
        } catch (IOException e) {
            throw new BinariesUnavailableException("binaries: " + given + " cannot be read: " + ThrowableText.of(e), e);
        }
    }

    private void unpack(Path into) throws IOException, InterruptedException, BinariesUnavailableException {
        Path log = into.resolve("tar.log");
        Process tar = new ProcessBuilder("tar", "-xf", given.toString(), "-C", into.toString(), "--strip-components=1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!tar.waitFor(UNPACK_LIMIT_S, TimeUnit.SECONDS)) {
            tar.destroyForcibly();
            throw new BinariesUnavailableException(
                    "binaries: unpacking " + given + " took over " + UNPACK_LIMIT_S + " s");
        }
        if (tar.exitValue() != 0) {
            throw new BinariesUnavailableException("binaries: " + given + " cannot be unpacked: "
                    + Files.readString(log).trim());
        }
    }

    /** The jars in {@code lib}, if there is one. */
    private static List<Path> jars(Path directory) throws IOException {
        Path lib = directory.resolve("lib");
        try (Stream<Path> entries = Files.list(Files.isDirectory(lib) ? lib : directory)) {
            return entries.filter(p -> p.toString().endsWith(".jar")).sorted().toList();
        }
    }
}
