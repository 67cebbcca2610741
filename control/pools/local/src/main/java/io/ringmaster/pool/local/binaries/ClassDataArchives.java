package io.ringmaster.pool.local.binaries;

import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class data archives (AppCDS), which halve the start time of a daemon and its executor. There is one pair for each
 * combination of JVM, jars and companion, because the JVM refuses an archive of another combination. Without an
 * archive a node starts, only more slowly.
 */
public final class ClassDataArchives {
    private static final Logger LOG = LoggerFactory.getLogger(ClassDataArchives.class);
    private static final String MAIN = "io.ringmaster.executor.ArchiveMain";
    private static final long LIMIT_S = 240;
    private static final int KEPT = 3;
    /** A server tries only once, because every node would wait for the next try. */
    private static final Map<Path, String> FAILED = new ConcurrentHashMap<>();

    private final Path executor;

    /** @param executor the directory of the executor's jars, which contain the program that makes archives */
    public ClassDataArchives(Path executor) {
        this.executor = executor;
    }

    /**
     * @param directory of this Cassandra version in the cache
     * @return empty if it cannot be made; the cause is logged
     */
    public Optional<Path> archive(
            Path directory, Path jars, Path companion, JavaHomes.JavaHome java, Consumer<String> progress)
            throws InterruptedException {
        try {
            Path archive = directory.resolve("cds-" + key(jars, companion, java) + ".jsa");
            if (Files.exists(archive)) {
                return Optional.of(archive);
            }
            if (FAILED.containsKey(archive)) {
                return Optional.empty();
            }
            progress.accept("waits for the class data archive");
            CacheLock.holding(directory.resolve("cds.lock"), () -> {
                if (!Files.exists(archive) && !FAILED.containsKey(archive)) {
                    make(archive, jars, companion, java, progress);
                    deleteOld(directory);
                }
            });
            return Optional.of(archive).filter(Files::exists);
        } catch (IOException | BinariesUnavailableException e) {
            LOG.warn("no class data archive, nodes start more slowly: {}", ThrowableText.of(e));
            return Optional.empty();
        }
    }

    /** The executor's archive, which is made together with the daemon's. */
    public static Optional<Path> ofExecutor(Path daemonArchive) {
        return Optional.of(executorPath(daemonArchive)).filter(Files::exists);
    }

    private static Path executorPath(Path daemonArchive) {
        return daemonArchive.resolveSibling(daemonArchive.getFileName() + ".executor");
    }

    private void make(Path archive, Path jars, Path companion, JavaHomes.JavaHome java, Consumer<String> progress)
            throws IOException, InterruptedException {
        progress.accept("makes a class data archive, once, so that nodes start faster");
        Path unfinished = archive.resolveSibling(archive.getFileName() + ".new");
        Path log = archive.resolveSibling("cds.log");
        Files.deleteIfExists(unfinished);
        List<String> command = List.of(
                java.java().toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                executor + "/*",
                MAIN,
                "--jars",
                jars.toString(),
                "--companion",
                companion.toString(),
                "--java",
                java.java().toString(),
                "--executor-out",
                executorPath(archive).toString(),
                "--out",
                unfinished.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended;
        try {
            ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (ended && process.exitValue() == 0 && Files.exists(unfinished)) {
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.deleteIfExists(unfinished);
            String reason = ended ? "exit code " + process.exitValue() : "not done within " + LIMIT_S + " s";
            FAILED.put(archive, reason);
            LOG.warn("no class data archive, nodes start more slowly: {}, see {}", reason, log);
        }
    }

    /** The JVM compares its own build and each jar's path, size and modification time when it opens an archive. */
    private static String key(Path jars, Path companion, JavaHomes.JavaHome java) throws IOException {
        List<String> parts = new ArrayList<>();
        parts.add(java.home() + " " + Files.readString(java.home().resolve("release")));
        try (Stream<Path> entries = Files.list(jars)) {
            for (Path jar :
                    entries.filter(p -> p.toString().endsWith(".jar")).sorted().toList()) {
                parts.add(stamp(jar));
            }
        }
        parts.add(stamp(companion));
        return Checksums.sha256(String.join("\n", parts)).substring(0, 16);
    }

    private static String stamp(Path jar) throws IOException {
        return jar + " " + Files.size(jar) + " "
                + Files.getLastModifiedTime(jar).toMillis();
    }

    /** Each build of the companion adds an archive of about 50 MB. A JVM that uses a deleted archive keeps it open. */
    private static void deleteOld(Path directory) throws IOException {
        List<Path> archives = new ArrayList<>();
        try (Stream<Path> entries = Files.list(directory)) {
            entries.filter(p -> p.toString().endsWith(".jsa")).forEach(archives::add);
        }
        Map<Path, FileTime> times = new ConcurrentHashMap<>();
        for (Path archive : archives) {
            times.put(archive, Files.getLastModifiedTime(archive));
        }
        archives.sort(Comparator.comparing(times::get).reversed());
        for (Path old : archives.subList(Math.min(KEPT, archives.size()), archives.size())) {
            Files.deleteIfExists(executorPath(old));
            Files.deleteIfExists(old);
        }
    }
}
