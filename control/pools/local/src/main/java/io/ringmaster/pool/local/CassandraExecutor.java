package io.ringmaster.pool.local;

import io.ringmaster.pool.base.ExecutorJvmOptions;
import io.ringmaster.pool.local.binaries.Binaries;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import io.ringmaster.pool.local.binaries.ClassDataArchives;
import io.ringmaster.pool.local.binaries.JavaHomes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command line of Ringmaster's executor, with the Cassandra that its start names. */
public final class CassandraExecutor implements ExecutorProgram {
    private static final String MAIN = "io.ringmaster.executor.ExecutorMain";

    private final Path dist;
    private final Binaries binaries;
    private final @Nullable Path locations;
    private final ClassDataArchives archives;

    /**
     * @param dist the built programs: directories {@code executor} and {@code companion}, optional {@code engine} and
     *     {@code transfer}
     * @param locations the directory of the files that describe where backups go; null if the server names none
     */
    public CassandraExecutor(Path dist, Binaries binaries, @Nullable Path locations) {
        this.dist = dist.toAbsolutePath();
        this.binaries = binaries;
        this.locations = locations;
        archives = new ClassDataArchives(this.dist.resolve("executor"));
    }

    /** The parts of a node. */
    public record Prepared(JavaHomes.JavaHome java, Path jars, Path companion, Optional<Path> archive) {}

    /** Fetches the parts for one Cassandra version; quick if they are in the cache. */
    public Prepared prepare(String cassandraVersion, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException {
        JavaHomes.JavaHome java = JavaHomes.onThisComputer().require(JavaHomes.WANTED);
        Path companion = companion();
        Path jars = binaries.jars(cassandraVersion, progress);
        Optional<Path> archive =
                archives.archive(binaries.directory(cassandraVersion), jars, companion, java, progress);
        return new Prepared(java, jars, companion, archive);
    }

    @Override
    public List<String> command(Start start, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException {
        Prepared prepared = prepare(start.cassandraVersion(), progress);
        List<String> command = new ArrayList<>();
        command.add(prepared.java().java().toString());
        command.addAll(ExecutorJvmOptions.ALL);
        prepared.archive()
                .flatMap(ClassDataArchives::ofExecutor)
                .ifPresent(archive -> command.add("-XX:SharedArchiveFile=" + archive));
        command.addAll(List.of("-cp", dist.resolve("executor") + "/*", MAIN));
        command.addAll(List.of("--node", start.node().value()));
        command.addAll(List.of("--listen", start.address(), "--port", String.valueOf(start.port())));
        command.addAll(List.of("--generation", String.valueOf(start.generation())));
        command.addAll(List.of("--directory", start.directory().toString()));
        if (start.door()) {
            command.addAll(List.of("--door", start.directory().toString()));
        }
        command.addAll(List.of("--jars", prepared.jars().toString()));
        command.addAll(List.of("--companion", prepared.companion().toString()));
        command.addAll(List.of("--java", prepared.java().java().toString()));
        prepared.archive().ifPresent(archive -> command.addAll(List.of("--cds", archive.toString())));
        for (String part : List.of("engine", "transfer")) {
            Path folder = dist.resolve(part);
            if (Files.isDirectory(folder)) {
                command.addAll(List.of("--" + part, folder.toString()));
            }
        }
        if (locations != null) {
            command.addAll(List.of("--locations", locations.toAbsolutePath().toString()));
        }
        return List.copyOf(command);
    }

    private Path companion() throws BinariesUnavailableException {
        Path folder = dist.resolve("companion");
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(p -> p.getFileName().toString().matches("companion.*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no companion jar"));
        } catch (IOException e) {
            throw new BinariesUnavailableException(
                    "dist: " + folder + " does not hold Ringmaster's companion; run ./dev build", e);
        }
    }
}
