package io.ringmaster.executor.archive;

import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts a throwaway node, sends it a few requests and stops it; its JVM then writes the archive of the loaded classes.
 * The archive appears atomically. Two processes that create the same archive concurrently only do the work twice.
 */
public final class ArchiveMaker {
    private static final Duration NORMAL_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration DUMP_TIMEOUT = Duration.ofMinutes(3);

    private final Installation installation;
    private final ExecutorJvm executor;
    private final Path out;
    private final @Nullable Path executorOut;
    private final Consumer<String> progress;

    /**
     * @param out the path of the daemon's archive
     * @param executorOut the path of the executor's own archive, or null for none
     */
    public ArchiveMaker(
            Installation installation,
            ExecutorJvm executor,
            Path out,
            @Nullable Path executorOut,
            Consumer<String> progress) {
        this.installation = installation;
        this.executor = executor;
        this.out = out;
        this.executorOut = executorOut;
        this.progress = progress;
    }

    /** @throws IOException the node did not start or the JVM did not write the archive; no file is left behind */
    public void make() throws IOException, InterruptedException {
        Path directory = out.toAbsolutePath().getParent();
        Files.createDirectories(directory);
        if (isMade()) {
            progress.accept("the archive exists already: " + out);
        } else {
            makeIn(Files.createTempDirectory(directory, "making"));
        }
    }

    private boolean isMade() {
        return Files.exists(out) && (executorOut == null || Files.exists(executorOut));
    }

    private void makeIn(Path directory) throws IOException, InterruptedException {
        long startedAt = System.nanoTime();
        Path archive = directory.resolve("daemon.jsa");
        Path executorArchive = executorOut == null ? null : directory.resolve("executor.jsa");
        try (ThrowawayNode node = ThrowawayNode.start(installation, executor, directory, archive, executorArchive)) {
            node.awaitNormal(NORMAL_TIMEOUT, progress);
            node.exercise();
            progress.accept("writing the archive of loaded classes");
            node.endOrderly(DUMP_TIMEOUT);
            publish(archive, out);
            if (executorOut != null && executorArchive != null) {
                publish(executorArchive, executorOut);
            }
            progress.accept("archive created in "
                    + Duration.ofNanos(System.nanoTime() - startedAt).toMillis() / 1000.0 + " s: " + out + " ("
                    + Files.size(out) / (1024 * 1024) + " MiB)");
        } finally {
            FileTree.delete(directory);
        }
    }

    private static void publish(Path archive, Path to) throws IOException {
        if (!Files.exists(archive)) {
            throw new IOException("the JVM ended without writing " + archive + "; see its output above");
        }
        Files.createDirectories(to.toAbsolutePath().getParent());
        Files.move(archive, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
